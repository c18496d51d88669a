// SPDX-License-Identifier: MIT
#include "gltf/read/nodes.hpp"

#include "gltf/check/transforms.hpp"

// The rules of nodes that change nothing about what is read.

namespace sinew::gltf {

void Nodes::check_use() const {
  std::vector<bool> is_joint(model_.nodes.size());
  for (const Skin& skin : model_.skins)
    for (const Index joint : skin.slots) is_joint[joint] = true;
  for (Index i = 0; i < model_.nodes.size(); ++i) {
    const Stored& stored = stored_[i];
    const bool used = is_joint[i] || stored.children || model_.nodes[i].mesh < reading_.count(Reference::mesh) || stored.camera ||
                      stored.value["extensions"].size() != 0 || (stored.value["extras"] && !stored.value["extras"].is(JsonKind::null));
    if (!used && stored.value.is(JsonKind::object)) reading_.report<"NODE_EMPTY"_code>(stored.value);
    if (model_.nodes[i].skin != none) check_skinned(i);
  }
}

// Only its joints move a skinned mesh.
void Nodes::check_skinned(Index node) const {
  const JsonValue value = stored_[node].value;
  const auto moves = [&](Index at) { return !is_identity(model_.rest.locals[at]); };
  if (moves(node)) reading_.report<"NODE_SKINNED_MESH_LOCAL_TRANSFORMS"_code>(value);
  if (!is_child(node)) return;
  Index above = tree_.parent(node);
  while (above != none && !moves(above)) above = tree_.parent(above);
  if (above != none) reading_.report<"NODE_SKINNED_MESH_PARENT_TRANSFORMS"_code>(value, above);
  reading_.report<"NODE_SKINNED_MESH_NON_ROOT"_code>(value);
}

}  // namespace sinew::gltf
