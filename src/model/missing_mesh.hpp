// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "sinew/model.hpp"

namespace sinew {

/// Nodes with a missing mesh refer to the index after the last mesh. This appends an empty mesh there, with the node's defect.
inline void add_missing_mesh(Model& model, std::size_t place) {
  const auto node = std::ranges::find_if(model.nodes, [&](const Node& candidate) { return candidate.mesh == place; });
  if (node == model.nodes.end()) return;
  model.meshes.emplace_back().defect = node->defect;
}

}  // namespace sinew
