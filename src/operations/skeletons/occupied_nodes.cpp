// SPDX-License-Identifier: MIT
#include "operations/skeletons/occupied_nodes.hpp"

#include "gltf/schema/source.hpp"

namespace sinew::operations {

std::vector<bool> occupied_nodes(const Model& model) {
  std::vector<bool> occupied;
  const auto* source = document::source_as<gltf::Source>(model.source.get());
  if (source == nullptr) return occupied;
  for (const Node& node : model.nodes) {
    const document::JsonValue value = source->value(node.source);
    occupied.push_back(value["camera"] || value["extensions"][lights_extension]);
  }
  return occupied;
}

}  // namespace sinew::operations
