// SPDX-License-Identifier: MIT
#include "operations/compare/surface_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "operations/weights/triangle_tree.hpp"

namespace sinew::operations {

namespace {

using weights::Nearest;
using weights::nearest_in;
using weights::TriangleTree;
using weights::Vec;
using weights::operator+;
using weights::operator-;
using weights::operator*;
using CornersOf = std::array<Vec, 3>;
using Shares = std::array<double, 3>;

constexpr double surface_slack = 0.02;  ///< how much larger than necessary a bound may be, as a part of it
constexpr double certainly_far = 1.25;  ///< where every bound matters: a piece with a point further than this part of what is known
constexpr std::uint8_t deepest_piece = 14;
constexpr std::size_t most_kept = 65'536;  ///< pieces of 512 triangles, from one pose to the next
constexpr std::size_t most_block_looks = 1'000'000;
constexpr std::size_t most_looks = 65'536;  ///< at pieces of a piece, in one pose
constexpr auto nothing_near = static_cast<std::uint32_t>(-1);

Vec point_at(const CornersOf& corners, const Shares& share) {
  return share[0] * corners[0] + share[1] * corners[1] + share[2] * corners[2];
}

}  // namespace

/// One of both ways: from each point of a surface to the other surface.
class SurfaceDistance::Way {
 public:
  /// A part of a triangle, and the triangle of the other surface that is near it.
  struct Piece {
    std::array<Shares, 3> at;    ///< its corners in its own triangle
    std::array<Shares, 3> near;  ///< the points of the other triangle that are near its corners
    std::uint32_t of = 0, other = nothing_near;
    std::uint8_t depth = 0;
  };

  Way(std::vector<Triangle> from, std::vector<Triangle> to) : from_(std::move(from)), to_(std::move(to)) {
    constexpr Shares x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    for (std::uint32_t t = 0; t < from_.size(); ++t) {
      if (t % block == 0) blocks_.emplace_back();
      blocks_.back().push_back({{x, y, z}, {x, y, z}, t});
    }
  }

  struct Block {
    double most = 0, squares = 0;
    std::uint32_t of = 0, other = 0;  ///< the triangles at `most`
  };

  /// `mark(from, to, bound)`: called for every piece, in order, if every piece needs a bound of its own (`each`).
  template <class Mark>
  Block measure(std::span<const Vec> from, std::span<const Vec> to, double known, bool each, unsigned threads, const Mark& mark) {
    Pose pose{*this, from, to, known, each};
    pose.begin();
    std::vector<Block> found(blocks_.size());
    bounds_.resize(blocks_.size());
    parallel_for(blocks_.size(), 1, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) found[i] = pose.measure(blocks_[i], bounds_[i]);
    });
    Block all;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      all.squares += found[i].squares;
      if (found[i].most > all.most) {
        const double squares = all.squares;
        all = found[i];
        all.squares = squares;
      }
      for (std::size_t k = 0; each && k < blocks_[i].size(); ++k)
        if (blocks_[i][k].other != nothing_near) mark(from_[blocks_[i][k].of], to_[blocks_[i][k].other], bounds_[i][k]);
    }
    return all;
  }

  [[nodiscard]] const Triangle& from(std::uint32_t triangle) const { return from_[triangle]; }
  [[nodiscard]] const Triangle& to(std::uint32_t triangle) const { return to_[triangle]; }
  [[nodiscard]] std::size_t size() const { return from_.size(); }

 private:
  static constexpr std::size_t block = 512;  ///< triangles that one thread measures; the result does not depend on the threads

  /// Measures in a pose.
  class Pose {
   public:
    Pose(const Way& way, std::span<const Vec> from, std::span<const Vec> to, double known, bool each)
        : way_(way), from_(from), to_(to), known_(known), each_(each) {}

    /// Looks at some points, so that blocks need no exact bounds below their distances.
    void begin() {
      constexpr std::size_t tries = 256;
      if (known_ > 0 || each_ || way_.to_.empty()) return;
      for (std::size_t t = 0; t < way_.from_.size(); t += way_.from_.size() / tries + 1)
        at_least_ = std::max(at_least_, std::sqrt(tree().nearest(from_[way_.from_[t][0]]).square));
    }

    Block measure(std::vector<Piece>& pieces, std::vector<double>& bounds) {
      Block found;
      std::vector<Piece> done;
      if (pieces.size() > most_kept) {  // begin with whole triangles again
        std::erase_if(pieces, [last = nothing_near](const Piece& piece) mutable { return std::exchange(last, piece.of) == piece.of; });
        for (Piece& piece : pieces) piece = {{Shares{1, 0, 0}, Shares{0, 1, 0}, Shares{0, 0, 1}}, {}, piece.of};
      }
      bounds.clear();
      std::size_t all_looks = 0;
      double lower = at_least_, of_triangle = 0;
      std::uint32_t triangle = nothing_near;
      const auto note = [&](const Piece& piece, double bound) {
        if (each_) bounds.push_back(bound);
        if (piece.of != triangle) found.squares += of_triangle * of_triangle, of_triangle = 0;
        triangle = piece.of;
        of_triangle = std::max(of_triangle, bound);
        if (!(bound > found.most)) return;
        found.most = bound;
        found.of = piece.of;
        found.other = piece.other == nothing_near ? 0 : piece.other;
      };
      bool cuts = false;  // until then, the pieces stay where they are
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (each_) lower = 0;
        Piece& first = pieces[i];
        const CornersOf at = places_of(first);
        const double bound = bound_of(first, at, lower);
        if (is_enough(first, bound, lower)) {
          note(first, bound);
          if (cuts) done.push_back(first);
          continue;
        }
        if (!std::exchange(cuts, true)) done.assign(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(i));
        cut_up(first, at, bound, lower, all_looks, [&](const Piece& piece, double found_bound) {
          done.push_back(piece);
          note(piece, found_bound);
        });
      }
      found.squares += of_triangle * of_triangle;
      if (cuts) pieces = std::move(done);
      return found;
    }

   private:
    [[nodiscard]] CornersOf places_of(const Piece& piece) const {
      const CornersOf own = corners_of(way_.from_[piece.of], from_);
      CornersOf at;
      for (std::size_t k = 0; k < 3; ++k) at[k] = point_at(own, piece.at[k]);
      return at;
    }

    [[nodiscard]] bool is_enough(const Piece& piece, double bound, double lower) const {
      return bound <= enough(lower) || (each_ && lower > certainly_far * known_) || piece.depth >= deepest_piece;
    }

    /// Cuts a piece, whose bound is not small enough, and calls use(piece, bound) for the pieces.
    template <class Use>
    void cut_up(Piece piece, CornersOf at, double bound, double& lower, std::size_t& all_looks, const Use& use) {
      std::vector<Piece> todo;
      for (std::size_t looks = 0;;) {
        if (is_enough(piece, bound, lower) || ++looks > most_looks || ++all_looks > most_block_looks || !std::isfinite(bound))
          use(piece, bound);
        else
          cut(piece, at, todo);
        if (todo.empty()) return;
        piece = todo.back();
        todo.pop_back();
        at = places_of(piece);
        bound = bound_of(piece, at, lower);
      }
    }

    [[nodiscard]] double enough(double lower) const { return std::max(known_, lower * (1 + surface_slack)); }

    static CornersOf corners_of(const Triangle& triangle, std::span<const Vec> points) {
      return {points[triangle[0]], points[triangle[1]], points[triangle[2]]};
    }

    /// Cuts a piece where it leaves what is above its triangle, or into four, if it is much larger.
    void cut(const Piece& piece, const CornersOf& at, std::vector<Piece>& todo) const {
      const auto longest = [](const CornersOf& c) {
        return std::max({weights::norm(c[0] - c[1]), weights::norm(c[1] - c[2]), weights::norm(c[2] - c[0])});
      };
      const CornersOf other = corners_of(way_.to_[piece.other], to_);
      if (longest(at) > 2 * longest(other)) return cut_in_four(piece, todo);
      const Vec normal = weights::cross(other[1] - other[0], other[2] - other[0]);
      std::array<double, 3> most{};
      double furthest = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec out = weights::cross(other[(k + 1) % 3] - other[k], normal);
        const double length = weights::norm(out);
        std::array<double, 3> over;
        for (std::size_t c = 0; c < 3; ++c) over[c] = length > 0 ? weights::dot(at[c] - other[k], out) / length : 0;
        const double high = std::max({over[0], over[1], over[2]}), low = std::min({over[0], over[1], over[2]});
        if (std::min(high, -low) <= furthest) continue;
        furthest = std::min(high, -low);
        most = over;
      }
      if (furthest < 1e-3 * longest(at)) return cut_in_four(piece, todo);
      cut_at(piece, most, todo);
    }

    /// Cuts a piece where a linear function is 0, from its values at the corners.
    static void cut_at(const Piece& piece, const std::array<double, 3>& over, std::vector<Piece>& todo) {
      std::size_t alone = 0;  // the corner on one side
      for (std::size_t c = 0; c < 3; ++c)
        if ((over[c] > 0) != (over[(c + 1) % 3] > 0) && (over[c] > 0) != (over[(c + 2) % 3] > 0)) alone = c;
      const std::size_t next = (alone + 1) % 3, last = (alone + 2) % 3;
      const auto between = [&](std::size_t end) {
        const double t = over[alone] / (over[alone] - over[end]);
        Shares share;
        for (std::size_t i = 0; i < 3; ++i) share[i] = (1 - t) * piece.at[alone][i] + t * piece.at[end][i];
        return share;
      };
      const Shares x = between(next), y = between(last);
      Piece part = piece;
      ++part.depth;
      for (const std::array<Shares, 3>& corners :
           {std::array<Shares, 3>{piece.at[alone], x, y}, {x, piece.at[next], piece.at[last]}, {x, piece.at[last], y}}) {
        part.at = corners;
        todo.push_back(part);
      }
    }

    static void cut_in_four(const Piece& piece, std::vector<Piece>& todo) {
      std::array<Shares, 3> middle;  // of the sides that begin at each corner
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < 3; ++i) middle[k][i] = (piece.at[k][i] + piece.at[(k + 1) % 3][i]) / 2;
      Piece part = piece;
      ++part.depth;
      part.at = middle;
      todo.push_back(part);
      for (std::size_t k = 0; k < 3; ++k) {
        part.at = {piece.at[k], middle[k], middle[(k + 2) % 3]};
        todo.push_back(part);
      }
    }

    /// Returns an upper bound of the distance of a piece; `lower` becomes at least the distance of a point of the surface.
    double bound_of(Piece& piece, const CornersOf& at, double& lower) {
      double bound = std::numeric_limits<double>::infinity();
      if (piece.other != nothing_near) {
        const CornersOf other = corners_of(way_.to_[piece.other], to_);
        double square = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          const Vec off = at[k] - point_at(other, piece.near[k]);
          square = std::max(square, weights::dot(off, off));
        }
        if (const double same = std::sqrt(square); same <= enough(lower)) return same;
        bound = try_triangle(piece, at, piece.other, bound);
        if (bound <= enough(lower)) return bound;
      }
      double corners = 0, side = 0;
      const std::uint32_t known = piece.other;  // no corner is further than this triangle
      for (std::size_t k = 0; k < 3; ++k) {
        const Nearest nearest = known == nothing_near ? tree().nearest(at[k]) : tree().nearest_within(at[k], square_to(known, at[k]));
        if (!std::isfinite(nearest.square)) return std::numeric_limits<double>::infinity();
        corners = std::max(corners, std::sqrt(nearest.square));
        side = std::max(side, weights::norm(at[k] - at[(k + 1) % 3]));
        bound = try_triangle(piece, at, nearest.triangle, bound);
      }
      const Vec middle = (1.0 / 3) * (at[0] + at[1] + at[2]);
      bound = try_triangle(piece, at, tree().nearest_within(middle, square_to(piece.other, middle)).triangle, bound);
      lower = std::max(lower, corners);
      // Every point of a triangle is within its longest side / √3 of a corner.
      return std::min(bound, corners + side / std::sqrt(3.0));
    }

    [[nodiscard]] double square_to(std::uint32_t triangle, const Vec& point) const {
      return nearest_in(corners_of(way_.to_[triangle], to_), point).square;
    }

    /// Makes a triangle the one that is near a piece if that lowers the bound; returns the lower one.
    double try_triangle(Piece& piece, const CornersOf& at, std::uint32_t triangle, double bound) const {
      const CornersOf other = corners_of(way_.to_[triangle], to_);
      double square = 0;
      std::array<Shares, 3> near;
      for (std::size_t k = 0; k < 3; ++k) {
        const Nearest nearest = nearest_in(other, at[k]);
        square = std::max(square, nearest.square);
        near[k] = nearest.share;
      }
      if (!(std::sqrt(square) < bound)) return bound;
      piece.near = near;
      piece.other = triangle;
      return std::sqrt(square);
    }

    const TriangleTree& tree() {
      std::call_once(made_, [this] { tree_.emplace(to_, way_.to_); });
      return *tree_;
    }

    const Way& way_;
    std::span<const Vec> from_, to_;
    double known_, at_least_ = 0;
    bool each_;  ///< every piece needs a bound of its own
    std::once_flag made_;
    std::optional<TriangleTree> tree_;
  };

  std::vector<Triangle> from_, to_;
  std::vector<std::vector<Piece>> blocks_;
  std::vector<std::vector<double>> bounds_;
};

SurfaceDistance::SurfaceDistance(std::vector<Triangle> a, std::vector<Triangle> b)
    : there_(std::make_unique<Way>(a, b)), back_(std::make_unique<Way>(std::move(b), std::move(a))) {}

SurfaceDistance::~SurfaceDistance() = default;

std::size_t SurfaceDistance::triangles() const { return there_->size() + back_->size(); }

SurfaceDistance::Found SurfaceDistance::measure(std::span<const Vec> a, std::span<const Vec> b, double known, std::span<float> furthest,
                                                unsigned threads) {
  const auto mark = [&](const Triangle& corners, double bound) {
    for (const std::uint32_t row : corners)
      if (row < furthest.size()) furthest[row] = std::max(furthest[row], static_cast<float>(bound));
  };
  const bool each = !furthest.empty();
  const Way::Block there =
      there_->measure(a, b, known, each, threads, [&](const Triangle& in_a, const Triangle&, double bound) { mark(in_a, bound); });
  const Way::Block back = back_->measure(b, a, each ? known : std::max(known, there.most), each, threads,
                                         [&](const Triangle&, const Triangle& in_a, double bound) { mark(in_a, bound); });
  Found found;
  found.squares = there.squares + back.squares;
  found.most = std::max(there.most, back.most);
  if (there_->size() == 0 || back_->size() == 0) return found;
  const bool first = there.most >= back.most;
  found.vertex_a = first ? there_->from(there.of)[0] : back_->to(back.other)[0];
  found.vertex_b = first ? there_->to(there.other)[0] : back_->from(back.of)[0];
  return found;
}

}  // namespace sinew::operations
