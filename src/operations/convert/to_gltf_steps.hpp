// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/edit_reporter.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Maps the slots of a mesh to joints of a new skin.
struct JointMap {
  std::vector<Index> of_slot;  ///< by slot of the old skin: index of the joint; `none`: no vertex uses it
  std::vector<Index> nodes;    ///< of each joint; `none`: the still joint
  Index still = none;          ///< index of the still joint; `none`: not needed

  friend auto operator<=>(const JointMap&, const JointMap&) = default;
};
/// `is_bound`: whether a slot has a bone and a bind matrix. `order`: nodes that are always joints, in this order, before other needed ones;
/// empty: every bound slot is a joint.
[[nodiscard]] JointMap joint_map(const Mesh& mesh, const Skin& skin, const std::function<bool(std::size_t slot)>& is_bound,
                                 std::span<const Index> order);

/// A use of a mesh.
struct MeshUse {
  Index mesh = none;
  bool skinned = false;
  JointMap joints;
  std::vector<Index> materials;  ///< overrides of the node for the surfaces, or empty

  friend auto operator<=>(const MeshUse&, const MeshUse&) = default;
};
/// Returns the mesh for one use. `losses`: null if they are already reported.
[[nodiscard]] Mesh gltf_mesh(const Model& model, const MeshUse& use, const EditReporter* losses);

/// Returns whether a clip changes the transform of a node.
[[nodiscard]] bool is_animated(const Model& model, Index node);

/// Gives every node, also animated ones, a transform that glTF can store, and assigns tracks to the right nodes.
void unshear(Model& model, const Model& from, const EditReporter& losses);

}  // namespace sinew::operations
