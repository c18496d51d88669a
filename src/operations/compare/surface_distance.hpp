// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "operations/weights/vec.hpp"

namespace sinew::operations {

/// Measures how far two surfaces of triangles are apart, both ways, in one pose after the other.
///
/// The distance from a convex set is a convex function: over a piece of a triangle it is largest at a corner. So a piece whose corners are
/// near one triangle of the other surface is as near with all its points. A piece that is not is cut into four. Each piece remembers the
/// triangle and the points of it that were near; in the next pose they are usually near again.
class SurfaceDistance {
 public:
  using Vec = weights::Vec;
  using Triangle = weights::Triangle;

  /// Triangles refer to rows of points.
  SurfaceDistance(std::vector<Triangle> a, std::vector<Triangle> b);
  SurfaceDistance(const SurfaceDistance&) = delete;
  SurfaceDistance& operator=(const SurfaceDistance&) = delete;
  ~SurfaceDistance();

  struct Found {
    double most = 0;                           ///< no point of either surface is further from the other one
    double squares = 0;                        ///< the sum of the squares of such bounds, one for each triangle of both surfaces
    std::uint32_t vertex_a = 0, vertex_b = 0;  ///< corners near the place of `most`
  };
  /// Measures in a pose. `known`: bounds up to this are good enough, others are at most 2 % too large, or as much as rounding. `furthest`,
  /// if not empty: for each row of A, gets the largest bound of what is near it, if that is larger; then every bound is close, not only the
  /// largest one. Every pose must have the same rows.
  [[nodiscard]] Found measure(std::span<const Vec> a, std::span<const Vec> b, double known, std::span<float> furthest, unsigned threads);

  /// Returns the number of triangles of both surfaces.
  [[nodiscard]] std::size_t triangles() const;

 private:
  class Way;
  std::unique_ptr<Way> there_, back_;
};

}  // namespace sinew::operations
