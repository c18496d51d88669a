// SPDX-License-Identifier: MIT
#include "operations/weights/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew::operations::weights {

namespace {

constexpr std::uint32_t leaf_size = 4;
constexpr double no_bound = std::numeric_limits<double>::infinity();
constexpr double rounding = 1 + 1e-9;  // distances to boxes and to triangles round differently
constexpr std::size_t deepest = 64;    // boxes halve their triangles, so 2³² of them need 33 levels

double square_to_box(const Vec& point, const Vec& low, const Vec& high) {
  double square = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double out = std::max(std::max(low[axis] - point[axis], 0.0), point[axis] - high[axis]);
    square += out * out;
  }
  return square;
}

/// Returns the square of the distance to the box around a triangle.
double square_to_box_of(const std::array<Vec, 3>& corners, const Vec& point) {
  Vec low, high;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low[axis] = std::min(std::min(corners[0][axis], corners[1][axis]), corners[2][axis]);
    high[axis] = std::max(std::max(corners[0][axis], corners[1][axis]), corners[2][axis]);
  }
  return square_to_box(point, low, high);
}

/// Finds the nearest point on one side of a triangle.
void try_side(const std::array<Vec, 3>& corners, const Vec& point, std::size_t a, std::size_t b, Nearest& best) {
  const Vec side = corners[b] - corners[a];
  const double length = dot(side, side);
  const double t = length > 0 ? std::clamp(dot(point - corners[a], side) / length, 0.0, 1.0) : 0;
  const Vec off = point - (corners[a] + t * side);
  if (dot(off, off) >= best.square) return;
  best.square = dot(off, off);
  best.share = {};
  best.share[a] = 1 - t;
  best.share[b] = t;
}

}  // namespace

Nearest nearest_in(const std::array<Vec, 3>& corners, const Vec& point) {
  Nearest best;
  const Vec normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
  const double area = dot(normal, normal);
  if (area > 0) {
    std::array<double, 3> share{};
    bool over = true;
    for (std::size_t i = 0; i < 3 && over; ++i) {
      share[i] = dot(cross(corners[(i + 2) % 3] - corners[(i + 1) % 3], point - corners[(i + 1) % 3]), normal) / area;
      over = share[i] >= 0;
    }
    if (over) {
      const double height = dot(point - corners[0], normal);
      return {0, share, height * height / area};
    }
  }
  for (std::size_t i = 0; i < 3; ++i) try_side(corners, point, i, (i + 1) % 3, best);
  return best;
}

namespace {

/// Returns where the segment from `from` along `step` meets the triangle, as a share of `step` (Möller and Trumbore 1997).
std::optional<double> segment_hit(const std::array<Vec, 3>& corners, const Vec& from, const Vec& step) {
  const Vec e = corners[1] - corners[0], f = corners[2] - corners[0], p = cross(step, f);
  const double det = dot(e, p);
  if (det == 0) return std::nullopt;
  const Vec s = from - corners[0], q = cross(s, e);
  const double u = dot(s, p) / det, v = dot(step, q) / det, t = dot(f, q) / det;
  if (u < 0 || v < 0 || u + v > 1 || t <= 0 || t > 1) return std::nullopt;
  return t;
}

/// Returns whether the segment comes into a box at a share of `step` above `after`.
bool segment_reaches(const Vec& low, const Vec& high, const Vec& start, const Vec& step, double after) {
  double enter = after, leave = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (step[axis] == 0) {
      if (start[axis] < low[axis] || start[axis] > high[axis]) return false;
      continue;
    }
    const double a = (low[axis] - start[axis]) / step[axis], b = (high[axis] - start[axis]) / step[axis];
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter <= leave + 1e-9;
}

}  // namespace

TriangleTree::TriangleTree(std::span<const Vec> points, std::span<const Triangle> triangles)
    : points_(points), triangles_(triangles), order_(triangles.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  std::vector<Vec> centers;
  centers.reserve(triangles.size());
  for (const Triangle& t : triangles) centers.push_back((1.0 / 3) * (points[t[0]] + points[t[1]] + points[t[2]]));
  if (!order_.empty()) build(0, static_cast<std::uint32_t>(order_.size()), centers);
}

// structure: recursion, because each level halves the range
std::uint32_t TriangleTree::build(std::uint32_t first, std::uint32_t last, std::span<const Vec> centers) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Box box{{far, far, far}, {-far, -far, -far}, first, last - first};
  for (std::uint32_t i = first; i < last; ++i)
    for (const std::uint32_t corner : triangles_[order_[i]])
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.low[axis] = std::min(box.low[axis], points_[corner][axis]);
        box.high[axis] = std::max(box.high[axis], points_[corner][axis]);
      }
  const auto place = static_cast<std::uint32_t>(boxes_.size());
  boxes_.push_back(box);
  if (last - first <= leaf_size) {
    std::sort(order_.begin() + first, order_.begin() + last);  // of triangles at one distance the first one counts, in each library
    return place;
  }
  const Vec size = box.high - box.low;
  const auto axis = static_cast<std::size_t>(std::ranges::max_element(size) - size.begin());
  const std::uint32_t middle = first + (last - first) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last, [&](std::uint32_t a, std::uint32_t b) {
    return centers[a][axis] != centers[b][axis] ? centers[a][axis] < centers[b][axis] : a < b;
  });
  build(first, middle, centers);
  const std::uint32_t right = build(middle, last, centers);
  boxes_[place].first = right;
  boxes_[place].count = 0;
  return place;
}

/// Calls use(triangle) for all triangles of boxes for which skip(box) is false; use returns true to stop.
template <class Skip, class Use>
void TriangleTree::walk(const Skip& skip, const Use& use) const {
  if (boxes_.empty()) return;
  std::array<std::uint32_t, deepest> open;
  std::size_t count = 0;
  open[count++] = 0;
  while (count > 0) {
    const std::uint32_t place = open[--count];
    const Box& box = boxes_[place];
    if (skip(box)) continue;
    for (std::uint32_t i = 0; i < box.count; ++i)
      if (use(order_[box.first + i])) return;
    if (box.count > 0) continue;
    const bool no_left = skip(boxes_[place + 1]), no_right = skip(boxes_[box.first]);
    if (!no_right) open[count++] = box.first;
    if (!no_left) open[count++] = place + 1;
  }
}

template <class Counts>
Nearest TriangleTree::nearest_of(const Vec& point, std::size_t most, double within, const Counts& counts) const {
  Nearest best;
  if (boxes_.empty()) return best;
  std::size_t looked = 0;
  const auto skip = [&](double near) { return near >= best.square || near > within || (++looked > most && std::isfinite(best.square)); };
  const auto square_to = [&](std::uint32_t place) { return square_to_box(point, boxes_[place].low, boxes_[place].high); };
  struct Open {
    std::uint32_t place;
    double near;
  };
  std::array<Open, deepest> open;
  std::size_t count = 0;
  open[count++] = {0, square_to(0)};
  while (count > 0) {
    const auto [place, near] = open[--count];
    if (skip(near)) continue;
    const Box& box = boxes_[place];
    for (std::uint32_t i = box.first; i < box.first + box.count; ++i) {
      const Triangle& t = triangles_[order_[i]];
      const std::array<Vec, 3> corners{points_[t[0]], points_[t[1]], points_[t[2]]};
      if (square_to_box_of(corners, point) > best.square * rounding) continue;
      const Nearest one = nearest_in(corners, point);
      if (one.square >= best.square || !counts(order_[i])) continue;
      best = one;
      best.triangle = order_[i];
    }
    if (box.count > 0) continue;
    const Open left{place + 1, square_to(place + 1)}, right{box.first, square_to(box.first)};
    const bool no_left = skip(left.near), no_right = skip(right.near), left_first = left.near <= right.near;
    if (left_first ? !no_right : !no_left) open[count++] = left_first ? right : left;
    if (left_first ? !no_left : !no_right) open[count++] = left_first ? left : right;
  }
  return best;
}

Nearest TriangleTree::nearest(const Vec& point, std::size_t most) const {
  return nearest_of(point, most, no_bound, [](std::uint32_t) { return true; });
}

Nearest TriangleTree::nearest_within(const Vec& point, double within) const {
  const Nearest found = nearest_of(point, no_limit, within * rounding, [](std::uint32_t) { return true; });
  return std::isfinite(found.square) ? found : nearest(point);
}

Nearest TriangleTree::nearest(const Vec& point, std::size_t most, const std::function<bool(std::uint32_t)>& counts, double within) const {
  return nearest_of(point, most, within, counts);
}

template <class Counts>
std::optional<bool> TriangleTree::meets_some(std::uint32_t from, const Vec& step, std::size_t most, const Counts& counts) const {
  const Vec& start = points_[from];
  const Vec end = start + step;
  bool met = false;
  std::size_t looked = 0;
  walk(
      [&](const Box& box) {
        if (looked > most) return true;
        for (std::size_t axis = 0; axis < 3; ++axis)
          if (std::max(start[axis], end[axis]) < box.low[axis] || std::min(start[axis], end[axis]) > box.high[axis]) return true;
        ++looked;
        return false;
      },
      [&](std::uint32_t triangle) {
        const Triangle& t = triangles_[triangle];
        const std::array<Vec, 3> corners{points_[t[0]], points_[t[1]], points_[t[2]]};
        if (std::ranges::find(t, from) == t.end()) met = met || (counts(corners) && segment_hit(corners, start, step).has_value());
        return met;
      });
  if (!met && looked > most) return std::nullopt;
  return met;
}

bool TriangleTree::meets(std::uint32_t from, const Vec& step) const { return meets_within(from, step, no_limit).value_or(false); }

std::optional<bool> TriangleTree::meets_within(std::uint32_t from, const Vec& step, std::size_t most) const {
  return meets_some(from, step, most, [](const std::array<Vec, 3>&) { return true; });
}

std::optional<double> TriangleTree::last_hit(const Vec& start, const Vec& step) const {
  std::optional<double> last;
  walk([&](const Box& box) { return !segment_reaches(box.low, box.high, start, step, last.value_or(0)); },
       [&](std::uint32_t triangle) {
         const Triangle& t = triangles_[triangle];
         const auto hit = segment_hit({points_[t[0]], points_[t[1]], points_[t[2]]}, start, step);
         if (hit && (!last || *hit > *last)) last = hit;
         return false;
       });
  return last;
}

bool TriangleTree::leaves(std::uint32_t from, const Vec& step) const {
  const auto counts = [&](const std::array<Vec, 3>& t) { return dot(cross(t[1] - t[0], t[2] - t[0]), step) > 0; };
  return meets_some(from, step, enough, counts).value_or(false);
}

}  // namespace sinew::operations::weights
