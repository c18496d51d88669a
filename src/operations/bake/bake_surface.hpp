// SPDX-License-Identifier: MIT
#pragma once

#include "operations/bake/bake_block.hpp"

#include "sinew/result.hpp"

namespace sinew::operations {

/// A surface of a mesh in N-space, and the index of its first corner in the deformed rows.
struct SurfaceOf {
  const Mesh& mesh;
  std::size_t surface;
  std::size_t dimension;
  std::size_t first_corner;
  std::size_t first_topology_corner;
};

/// Returns the surface at the pose: deformed corner normals, texture coordinates at the amounts, reversed with its block. Normals of length
/// 0 become the last axis; missing normals stay missing. Failure::limit as topology_corners.
[[nodiscard]] Result<Surface> bake_surface(const SurfaceOf& from, const Moved& moved, std::span<const double> amounts, Winding winding);

}  // namespace sinew::operations
