// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"

namespace sinew {

/// The surfaces of each vertex block of a mesh, in its order. Looking for them among all, block by block, takes seconds for 40,000 of them.
using SurfacesOfBlocks = std::vector<std::vector<const Surface*>>;
[[nodiscard]] inline SurfacesOfBlocks surfaces_of_blocks(const Mesh& mesh) {
  SurfacesOfBlocks surfaces(mesh.blocks.size());
  for (const Surface& surface : mesh.surfaces)
    if (surface.block < surfaces.size()) surfaces[surface.block].push_back(&surface);  // one with a defect may have none
  return surfaces;
}

}  // namespace sinew
