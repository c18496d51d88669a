// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "sinew/model.hpp"

namespace sinew {

/// Nodes that name a missing mesh name the place after the last one: an empty mesh goes there, broken for the node's reason.
inline void add_missing_mesh(Model& model, std::size_t place) {
  const auto node = std::ranges::find_if(model.nodes, [&](const Node& candidate) { return candidate.mesh == place; });
  if (node == model.nodes.end()) return;
  model.meshes.emplace_back().defect = node->defect;
}

}  // namespace sinew
