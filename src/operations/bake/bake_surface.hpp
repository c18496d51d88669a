// SPDX-License-Identifier: MIT
#pragma once

#include "operations/bake/bake_block.hpp"

#include "sinew/result.hpp"

namespace sinew::operations {

/// A surface of a mesh in N-space, and where its corners start in what was moved.
struct SurfaceOf {
  const Mesh& mesh;
  std::size_t surface;
  std::size_t dimension;
  std::size_t first_corner;
  std::size_t first_topology_corner;
};

/// The surface at the pose: normals of its corners as moved, texture maps at the amounts, reversed with its block. Normals that vanished
/// become the last axis; surfaces without stay without. Failure::limit as topology_corners.
[[nodiscard]] Result<Surface> bake_surface(const SurfaceOf& from, const Moved& moved, std::span<const double> amounts, Winding winding);

}  // namespace sinew::operations
