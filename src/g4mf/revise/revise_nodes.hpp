// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "g4mf/revise/reviser.hpp"

namespace sinew::g4mf {

/// The trees of the file's nodes as they are.
struct NodeTree {
  explicit NodeTree(const std::vector<JsonValue>& nodes);

  std::vector<Index> parents;                ///< `none` for roots
  std::vector<std::vector<Index>> children;  ///< that are there, each below its first parent only
  std::vector<bool> bones;
  std::vector<bool> skeletons;

  /// Parents before their children; what hangs in a cycle is left out.
  [[nodiscard]] std::vector<Index> downwards() const;
};

/// The index of the mesh that a node instances, under the name of any revision; `none` where there is none.
[[nodiscard]] Index mesh_of(JsonValue node);

/// The nodes that a skeleton moves, by mesh: direct children of skeleton nodes, in ascending order.
[[nodiscard]] std::vector<std::vector<Index>> skinned_nodes(const std::vector<JsonValue>& nodes, const NodeTree& tree, std::size_t meshes);

/// From 2025-08 to 2026-01: meshes and models of nodes become instances, lights stand in their nodes, boneLength becomes a bone object.
[[nodiscard]] Checked<> nodes_to_2026_01(Reviser& reviser);
/// From 2025-08 to 2026-01: every bone hangs on a bone or a skeleton.
void join_bones(Reviser& reviser);
/// Back. What instances override is put into copies of their meshes.
[[nodiscard]] Checked<> nodes_to_2025_08(Reviser& reviser);

}  // namespace sinew::g4mf
