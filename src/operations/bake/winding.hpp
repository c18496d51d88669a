// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "operations/bake/bake_block.hpp"
#include "operations/compare/packed_mesh.hpp"

#include "sinew/deform.hpp"

namespace sinew::operations {

/// Returns whether the transforms of some vertices mirror them: the sign of most of their weight. Vertices without a skin follow the node.
[[nodiscard]] Winding winding_of(const PackedMesh& mesh, const deform::Palette& palette, std::size_t first, std::size_t count);

}  // namespace sinew::operations
