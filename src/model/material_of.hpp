// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"

namespace sinew {

/// Returns the material with which a node draws a surface: the node's override, or the surface's `own`, or none.
[[nodiscard]] inline Index material_of(const Node& node, std::size_t surface, Index own) {
  const std::vector<Index>& instead = node.materials;
  const Index given = instead.empty() ? none : instead[instead.size() == 1 ? 0 : surface];
  return given == none ? own : given;
}

}  // namespace sinew
