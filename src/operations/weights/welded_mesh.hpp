// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "operations/weights/vec.hpp"

namespace sinew::operations::weights {

/// Triangles whose vertices at one place are one point, so that seams are no borders.
struct WeldedMesh {
  std::vector<Vec> points;
  std::vector<std::uint32_t> point_of;  ///< by vertex
  std::vector<Triangle> triangles;      ///< of points; without those that have two corners at one place
  std::vector<Vec> normals;             ///< by point: unit vectors, weighted by angles; zero without a triangle
  std::vector<std::uint32_t> piece_of;  ///< by point: the number of its connected piece
  std::size_t pieces = 0;
  double diagonal = 0;

  /// Welds vertices that lie within 1e-5 of the diagonal. `triangles`: of vertices.
  static WeldedMesh create(std::span<const Vec> vertices, std::span<const Triangle> triangles);
};

/// Lists of neighbours: those of point i are `point[first[i]]` to `point[first[i + 1] - 1]`, ascending.
struct Neighbours {
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> point;

  static Neighbours create(const WeldedMesh& mesh);
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t i) const {
    return std::span(point).subspan(first[i], first[i + 1] - first[i]);
  }
};

/// Returns the mean of what value(neighbour) points to; null leaves a neighbour out. Returns nothing if none is left.
template <class Value>
[[nodiscard]] std::optional<Vec> mean_around(const Neighbours& neighbours, std::size_t point, const Value& value) {
  Vec sum{};
  std::size_t count = 0;
  for (const std::uint32_t other : neighbours.of(point))
    if (const Vec* const own = value(other); own != nullptr) {
      sum = sum + *own;
      ++count;
    }
  if (count == 0) return std::nullopt;
  return (1.0 / static_cast<double>(count)) * sum;
}

/// Returns the diagonal of the box of points.
[[nodiscard]] double box_diagonal(std::span<const Vec> points);

}  // namespace sinew::operations::weights
