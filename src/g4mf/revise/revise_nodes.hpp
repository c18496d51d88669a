// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "g4mf/revise/reviser.hpp"

namespace sinew::g4mf {

struct NodeTree {
  explicit NodeTree(const std::vector<JsonValue>& nodes);

  std::vector<Index> parents;                ///< `none` for roots
  std::vector<std::vector<Index>> children;  ///< existing ones, each below its first parent only
  std::vector<bool> bones;
  std::vector<bool> skeletons;

  /// Returns the nodes with parents before children, without nodes in cycles.
  [[nodiscard]] std::vector<Index> downwards() const;
};

/// Returns the index of a node's mesh in any revision, or `none`.
[[nodiscard]] Index mesh_of(JsonValue node);

/// The state of a step that revises skins. Nodes and meshes are those before the step.
class SkinStep {
 protected:
  explicit SkinStep(Reviser& reviser);

  Reviser& reviser_;
  std::vector<JsonValue> nodes_, meshes_;
  NodeTree tree_;
  std::vector<std::vector<Index>> users_;  ///< by mesh: its skinned nodes (children of skeleton nodes), ascending
};

/// From 2025-08 to 2026-01: meshes and models of nodes become instances, lights move into their nodes, boneLength becomes a bone object.
[[nodiscard]] Checked<> nodes_to_2026_01(Reviser& reviser);
/// From 2025-08 to 2026-01: makes every bone the child of a bone or a skeleton.
void join_bones(Reviser& reviser);
/// From 2026-01 to 2025-08. Meshes with overrides are copied, with the overrides applied.
[[nodiscard]] Checked<> nodes_to_2025_08(Reviser& reviser);

}  // namespace sinew::g4mf
