// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sinew/sinew.hpp"

namespace sinew {

/// A half-line in world space. The direction may have any length but 0.
struct Ray {
  std::array<double, 3> origin{}, direction{0, 0, 1};
};

/// Where a ray meets a deformed mesh.
struct RayHit {
  std::size_t instance = 0;             ///< of Deformer::instances
  std::size_t triangle = 0;             ///< of Deformer::triangles
  std::array<double, 3> barycentric{};  ///< weights of the triangle's corners; their sum is 1
  double distance = 0;                  ///< from the origin, in lengths of the direction
};

/// Finds the nearest triangle that a ray meets, from either side; of equally near ones the first. Edges belong to both triangles beside
/// them, so no ray passes between these. `positions`, `triangles`, `instances`: those of one Deformer of three dimensions. Looks at every
/// triangle and allocates nothing; many threads may call it. Rows that are not finite are never met.
[[nodiscard]] std::optional<RayHit> hit(const Ray& ray, std::span<const float> positions, std::span<const std::uint32_t> triangles,
                                        std::span<const InstanceRows> instances) noexcept;

/// Fills a box for each node: around the rows that have a weight of more than `above` for it, at the pose of `positions`. A box is N
/// minima, then N maxima, in world space; NaN if no row follows the node. `positions`: rows of `dimension` finite numbers, as many as
/// `influences` has. `boxes`: 2 * N numbers for each node of the model. Negative weights count by their size. Allocates nothing; many
/// threads may call it.
void bone_boxes(const RowInfluences& influences, std::span<const float> positions, std::size_t dimension, std::span<float> boxes,
                double above = 0) noexcept;

}  // namespace sinew
