// SPDX-License-Identifier: MIT
#include "operations/lift/walls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "math/extent.hpp"

#include "sinew/geometry.hpp"

namespace sinew::operations {

namespace {

constexpr double shrink = 0.8;                 ///< by which a thickness shrinks in one round
constexpr double beyond_share = 0.8;           ///< of a wall, away from the corners that it shares
constexpr std::size_t most_steps = 48;         ///< towards a direction that separates two hulls; then they count as meeting
constexpr std::size_t most_candidates = 4096;  ///< for one wall; then it counts as meeting one
constexpr std::size_t leaf = 4;

using WallPoint = std::array<double, max_dimension>;

/// The corners of a wall.
struct Wall {
  std::array<WallPoint, 2 * max_dimension> points;
  std::size_t count = 0;

  [[nodiscard]] WallPoint middle(std::size_t n) const {
    WallPoint sum{};
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < n; ++i) sum[i] += points[k][i] / static_cast<double>(count);
    return sum;
  }
  /// Without the part next to the corners that are shared, one bit each.
  [[nodiscard]] Wall beyond(std::size_t n, unsigned shared) const {
    WallPoint center{};
    double corners = 0;
    for (std::size_t k = 0; k < count; ++k)
      if ((shared >> k / 2 & 1) == 0) {
        for (std::size_t i = 0; i < n; ++i) center[i] += points[k][i];
        ++corners;
      }
    Wall out = *this;
    if (corners == 0) return out;
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < n; ++i) out.points[k][i] = center[i] / corners + beyond_share * (points[k][i] - center[i] / corners);
    return out;
  }
};

double dot_of(std::size_t n, const WallPoint& a, const WallPoint& b) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// The point of the hull of a few points that is nearest to the origin: Wolfe, "Finding the nearest point in a polytope", 1976.
class NearestOfHull {
 public:
  NearestOfHull(std::size_t dimension, const WallPoint& first) : n_(dimension) {
    points_[0] = v_ = first;
    share_[0] = 1;
    count_ = 1;
  }
  [[nodiscard]] const WallPoint& nearest() const { return v_; }

  /// Adds a point; false: the nearest one is the origin, or does not come nearer.
  bool add(const WallPoint& w) {
    if (count_ > n_) return false;  // n + 1 points around the origin
    for (std::size_t k = 0; k < count_; ++k)
      if (points_[k] == w) return false;
    points_[count_] = w;
    share_[count_++] = 0;
    for (;;) {
      std::array<double, max_dimension + 1> wanted{};
      if (!nearest_of_plane(wanted)) return false;
      double way = 1;
      for (std::size_t k = 0; k < count_; ++k)
        if (wanted[k] <= tiny) way = std::min(way, share_[k] / std::max(share_[k] - wanted[k], tiny));
      for (std::size_t k = 0; k < count_; ++k) share_[k] += way * (wanted[k] - share_[k]);
      if (way >= 1) break;
      std::size_t kept = 0;
      for (std::size_t k = 0; k < count_; ++k)
        if (share_[k] > tiny) {
          points_[kept] = points_[k];
          share_[kept++] = share_[k];
        }
      if (kept == count_ || kept == 0) return false;
      count_ = kept;
    }
    v_ = {};
    for (std::size_t k = 0; k < count_; ++k)
      for (std::size_t i = 0; i < n_; ++i) v_[i] += share_[k] * points_[k][i];
    return dot_of(n_, v_, v_) > tiny * dot_of(n_, w, w);
  }

 private:
  static constexpr double tiny = 1e-14;

  /// The shares, with the sum 1, of the nearest point of the plane through all points; false: they lie in a smaller one.
  bool nearest_of_plane(std::array<double, max_dimension + 1>& wanted) const {
    const std::size_t size = count_ - 1;
    std::array<WallPoint, max_dimension> rows{}, edges{};
    WallPoint right{};
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t i = 0; i < n_; ++i) edges[a][i] = points_[a + 1][i] - points_[0][i];
      right[a] = -dot_of(n_, edges[a], points_[0]);
    }
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b < size; ++b) rows[a][b] = dot_of(n_, edges[a], edges[b]);
    for (std::size_t pivot = 0; pivot < size; ++pivot) {  // positive definite: no rows need to change places
      const double scale = dot_of(n_, edges[pivot], edges[pivot]);
      if (!(rows[pivot][pivot] > tiny * scale)) return false;
      for (std::size_t a = 0; a < size; ++a) {
        if (a == pivot) continue;
        const double factor = rows[a][pivot] / rows[pivot][pivot];
        for (std::size_t b = pivot; b < size; ++b) rows[a][b] -= factor * rows[pivot][b];
        right[a] -= factor * right[pivot];
      }
    }
    wanted[0] = 1;
    for (std::size_t a = 0; a < size; ++a) {
      wanted[a + 1] = right[a] / rows[a][a];
      wanted[0] -= wanted[a + 1];
    }
    return true;
  }

  std::size_t n_, count_ = 0;
  std::array<WallPoint, max_dimension + 1> points_{};
  std::array<double, max_dimension + 1> share_{};
  WallPoint v_{};
};

/// Returns whether a direction was found along which the hulls lie apart.
bool lie_apart(std::size_t n, const Wall& a, const Wall& b) {
  WallPoint v = a.middle(n);
  const WallPoint other = b.middle(n);
  for (std::size_t i = 0; i < n; ++i) v[i] -= other[i];
  NearestOfHull nearest(n, v);
  for (std::size_t step = 0; step < most_steps; ++step) {
    const auto along = [&](const WallPoint& p) { return dot_of(n, nearest.nearest(), p); };
    const WallPoint& low = *std::ranges::min_element(a.points.begin(), a.points.begin() + static_cast<std::ptrdiff_t>(a.count), {}, along);
    const WallPoint& high = *std::ranges::max_element(b.points.begin(), b.points.begin() + static_cast<std::ptrdiff_t>(b.count), {}, along);
    if (along(low) > along(high)) return true;
    WallPoint w{};
    for (std::size_t i = 0; i < n; ++i) w[i] = low[i] - high[i];
    if (!nearest.add(w)) return false;
  }
  return false;
}

/// The walls of a sheet, in a tree of boxes.
class Walls {
 public:
  Walls(const Sheet& sheet, std::span<const double> mitres, std::span<const double> least, std::span<const double> thickness)
      : sheet_(sheet),
        n_(sheet.dimension),
        mitres_(mitres),
        least_(least),
        thickness_(thickness),
        order_(sheet.count()),
        own_(sheet.count()) {
    std::iota(order_.begin(), order_.end(), 0u);
    build(0, static_cast<std::uint32_t>(order_.size()));
  }

  /// After the thickness changed.
  void refit() {
    for (std::uint32_t s = 0; s < own_.size(); ++s) own_[s] = extent_of(wall_of(s, thickness_));
    for (std::size_t b = boxes_.size(); b-- > 0;) {
      boxes_[b].extent = Extent();
      for (std::uint32_t i = 0; i < boxes_[b].count; ++i) boxes_[b].extent.add(own_[order_[boxes_[b].first + i]]);
      if (boxes_[b].count != 0) continue;
      boxes_[b].extent.add(boxes_[b + 1].extent);
      boxes_[b].extent.add(boxes_[boxes_[b].first].extent);
    }
  }

  enum class Meets { nothing, inevitably, another };

  [[nodiscard]] Meets meets(std::uint32_t s) const {
    const Affine frame = frame_of(s);
    const Wall whole = in_frame(frame, wall_of(s, thickness_));
    Meets result = Meets::nothing;
    const Extent box = extent_of(whole);
    std::size_t candidates = 0;
    std::vector<std::uint32_t> open{0};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (!overlap(own_[s], boxes_[at].extent)) continue;
      if (boxes_[at].count == 0) {
        // Its neighbourhood first: where it is too thick, that is seen there.
        const bool left = distance(own_[s], boxes_[at + 1].extent) <= distance(own_[s], boxes_[boxes_[at].first].extent);
        open.push_back(left ? boxes_[at].first : at + 1);
        open.push_back(left ? at + 1 : boxes_[at].first);
        continue;
      }
      for (std::uint32_t i = 0; i < boxes_[at].count; ++i) {
        const std::uint32_t other = order_[boxes_[at].first + i];
        if (other == s || !overlap(own_[s], own_[other])) continue;
        if (++candidates > most_candidates) return Meets::another;
        const Wall theirs = in_frame(frame, wall_of(other, thickness_));
        if (!overlap(box, extent_of(theirs)) || apart(s, whole, other, theirs)) continue;
        result = Meets::inevitably;
        if (apart(s, in_frame(frame, wall_of(s, least_)), other, in_frame(frame, wall_of(other, least_)))) return Meets::another;
      }
    }
    return result;
  }

 private:
  struct Box {
    Extent extent;
    std::uint32_t first = 0, count = 0;  ///< of `order_`; count 0: the children are the next box and box `first`
  };

  void build(std::uint32_t first, std::uint32_t last) {
    const std::size_t at = boxes_.size();
    boxes_.emplace_back();
    if (last - first <= leaf) {
      boxes_[at].first = first;
      boxes_[at].count = last - first;
      return;
    }
    Extent box;
    for (std::uint32_t i = first; i < last; ++i)
      for (std::size_t axis = 0; axis < n_; ++axis) box.add(axis, sheet_.place(sheet_.simplex(order_[i])[0])[axis]);
    std::size_t longest = 0;
    for (std::size_t axis = 1; axis < n_; ++axis)
      if (box.high[axis] - box.low[axis] > box.high[longest] - box.low[longest]) longest = axis;
    const std::uint32_t half = first + (last - first) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + half, order_.begin() + last, [&](std::uint32_t a, std::uint32_t b) {
      const double x = sheet_.place(sheet_.simplex(a)[0])[longest], y = sheet_.place(sheet_.simplex(b)[0])[longest];
      return x < y || (x == y && a < b);
    });
    build(first, half);
    const auto right = static_cast<std::uint32_t>(boxes_.size());
    build(half, last);
    boxes_[at].first = right;
  }

  /// Of the middles, squared and doubled.
  [[nodiscard]] double distance(const Extent& a, const Extent& b) const {
    double square = 0;
    for (std::size_t i = 0; i < n_; ++i) square += std::pow(a.low[i] + a.high[i] - b.low[i] - b.high[i], 2);
    return square;
  }

  [[nodiscard]] bool overlap(const Extent& a, const Extent& b) const {
    for (std::size_t i = 0; i < n_; ++i)
      if (a.high[i] < b.low[i] || b.high[i] < a.low[i]) return false;
    return true;
  }

  [[nodiscard]] Extent extent_of(const Wall& wall) const {
    Extent out;
    for (std::size_t k = 0; k < wall.count; ++k)
      for (std::size_t i = 0; i < n_; ++i) out.add(i, wall.points[k][i]);
    return out;
  }

  [[nodiscard]] Wall wall_of(std::uint32_t s, std::span<const double> thickness) const {
    Wall wall;
    for (const std::uint32_t point : sheet_.simplex(s))
      for (const double side : {1.0, -1.0}) {
        WallPoint& p = wall.points[wall.count++];
        for (std::size_t i = 0; i < n_; ++i) p[i] = sheet_.place(point)[i] + side * thickness[point] * mitres_[point * n_ + i];
      }
    return wall;
  }

  /// A map to coordinates in which a wall that is thicker than its simplex is wide is not: the iteration takes few steps there.
  [[nodiscard]] Affine frame_of(std::uint32_t s) const {
    Affine to(n_);
    const auto corners = sheet_.simplex(s);
    WallPoint across{};
    double widest = 0;
    for (std::size_t k = 0; k < n_; ++k) {
      WallPoint edge{};
      for (std::size_t i = 0; i < n_; ++i) {
        across[i] += thickness_[corners[k]] * mitres_[corners[k] * n_ + i] / static_cast<double>(n_);
        edge[i] = sheet_.place(corners[k])[i] - sheet_.place(corners[0])[i];
        if (k > 0) to(i, k - 1) = edge[i];
      }
      widest = std::max(widest, dot_of(n_, edge, edge));
    }
    const double thick = std::sqrt(dot_of(n_, across, across));
    const double longer = thick > 0 ? std::max(1.0, std::sqrt(widest) / thick) : 1;
    for (std::size_t i = 0; i < n_; ++i) {
      to(i, n_ - 1) = longer * across[i];
      to.translation(i) = sheet_.place(corners[0])[i];
    }
    return inverse(to).value_or(Affine(n_));
  }

  [[nodiscard]] Wall in_frame(const Affine& frame, const Wall& wall) const {
    Wall out;
    out.count = wall.count;
    for (std::size_t k = 0; k < wall.count; ++k)
      for (std::size_t row = 0; row < n_; ++row) {
        double sum = frame.translation(row);
        for (std::size_t column = 0; column < n_; ++column) sum += frame(row, column) * wall.points[k][column];
        out.points[k][row] = sum;
      }
    return out;
  }

  /// The corners of s that lie at corners of t, one bit each.
  [[nodiscard]] unsigned shared_corners(std::uint32_t s, std::uint32_t t) const {
    unsigned shared = 0;
    for (std::size_t k = 0; k < n_; ++k)
      for (const std::uint32_t point : sheet_.simplex(t))
        if (sheet_.welded[sheet_.simplex(s)[k]] == sheet_.welded[point]) shared |= 1u << k;
    return shared;
  }

  [[nodiscard]] bool apart(std::uint32_t s, const Wall& own, std::uint32_t t, const Wall& theirs) const {
    const unsigned shared = shared_corners(s, t);
    return shared == 0 ? lie_apart(n_, own, theirs) : lie_apart(n_, own.beyond(n_, shared), theirs.beyond(n_, shared_corners(t, s)));
  }

  const Sheet& sheet_;
  std::size_t n_;
  std::span<const double> mitres_, least_, thickness_;
  std::vector<std::uint32_t> order_;
  std::vector<Extent> own_;
  std::vector<Box> boxes_;
};

}  // namespace

std::size_t part_walls(const Sheet& sheet, std::span<const double> mitres, std::span<const double> least, unsigned threads,
                       std::vector<double>& thickness) {
  if (sheet.count() == 0) return 0;
  Walls walls(sheet, mitres, least, thickness);
  std::vector<std::uint32_t> open(sheet.count());
  std::iota(open.begin(), open.end(), 0u);
  std::size_t inevitable = 0;
  for (;;) {
    walls.refit();
    std::vector<Walls::Meets> meets(open.size());
    parallel_for(open.size(), 16, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) meets[i] = walls.meets(open[i]);
    });
    std::vector<std::uint32_t> still;
    std::vector<bool> thinner(sheet.points());
    bool any = false;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (meets[i] == Walls::Meets::inevitably) ++inevitable;
      if (meets[i] != Walls::Meets::another) continue;
      still.push_back(open[i]);
      for (const std::uint32_t point : sheet.simplex(open[i])) thinner[point] = true;
    }
    open = std::move(still);
    for (std::size_t point = 0; point < thickness.size(); ++point) {
      if (!thinner[point] || thickness[point] <= least[point]) continue;
      thickness[point] = std::max(least[point], shrink * thickness[point]);
      any = true;
    }
    if (!any) return inevitable + open.size();
  }
}

}  // namespace sinew::operations
