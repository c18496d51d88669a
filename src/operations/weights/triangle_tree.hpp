// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "operations/weights/vec.hpp"

namespace sinew::operations::weights {

/// The nearest point of a set of triangles.
struct Nearest {
  std::uint32_t triangle = 0;
  std::array<double, 3> share{};                            ///< barycentric: of each corner, the sum is 1
  double square = std::numeric_limits<double>::infinity();  ///< of the distance; infinite: there is no triangle
};

/// Returns the nearest point of one triangle, with 0 as its number.
[[nodiscard]] Nearest nearest_in(const std::array<Vec, 3>& corners, const Vec& point);

/// A tree of boxes over triangles. Triangles may be degenerate. Keeps references to the points and the triangles. Answers do not depend on
/// the order of queries, and several threads may ask.
class TriangleTree {
 public:
  TriangleTree(std::span<const Vec> points, std::span<const Triangle> triangles);

  static constexpr std::size_t no_limit = static_cast<std::size_t>(-1);
  static constexpr std::size_t enough = 4096;  ///< boxes for one ordinary query; only adversarial places need more

  /// Returns the nearest point, by the order of the tree if several are equally near. `most`: boxes to look into; beyond, the nearest point
  /// so far (a point in the middle of a sphere is near to all of it).
  [[nodiscard]] Nearest nearest(const Vec& point, std::size_t most = no_limit) const;
  /// The same if the square of the distance is known to be at most `within`, which saves most of the boxes.
  [[nodiscard]] Nearest nearest_within(const Vec& point, double within) const;
  /// The same among the triangles for which `counts` returns true; at an infinite distance if there is none, or none in boxes up to a
  /// distance with the square `within`.
  [[nodiscard]] Nearest nearest(const Vec& point, std::size_t most, const std::function<bool(std::uint32_t)>& counts,
                                double within = std::numeric_limits<double>::infinity()) const;
  /// Returns whether the segment from the point with this number along `step` meets a triangle without that point.
  [[nodiscard]] bool meets(std::uint32_t from, const Vec& step) const;
  /// The same; nothing if that needs more than `most` boxes.
  [[nodiscard]] std::optional<bool> meets_within(std::uint32_t from, const Vec& step, std::size_t most) const;
  /// The same, for triangles whose corners go around the direction of `step` as those of a surface that the segment leaves.
  [[nodiscard]] bool leaves(std::uint32_t from, const Vec& step) const;
  /// Returns the last place of the segment at which it meets a triangle, as a share of `step`; nothing if it meets none.
  [[nodiscard]] std::optional<double> last_hit(const Vec& start, const Vec& step) const;

 private:
  struct Box {
    Vec low, high;
    std::uint32_t first = 0, count = 0;  ///< of `order_`; count 0: the children are the next box and box `first`
  };
  std::uint32_t build(std::uint32_t first, std::uint32_t last, std::span<const Vec> centers);
  template <class Skip, class Use>
  void walk(const Skip& skip, const Use& use) const;
  template <class Counts>
  [[nodiscard]] Nearest nearest_of(const Vec& point, std::size_t most, double within, const Counts& counts) const;
  template <class Counts>
  [[nodiscard]] std::optional<bool> meets_some(std::uint32_t from, const Vec& step, std::size_t most, const Counts& counts) const;

  std::span<const Vec> points_;
  std::span<const Triangle> triangles_;
  std::vector<std::uint32_t> order_;
  std::vector<Box> boxes_;
};

}  // namespace sinew::operations::weights
