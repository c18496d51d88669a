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

/// Which joints of a new skin the slots of a mesh become.
struct JointMap {
  std::vector<Index> of_slot;  ///< its number among the joints, for each slot of the old skin; `none`: no vertex follows it
  std::vector<Index> nodes;    ///< of each joint; `none`: the still one
  Index still = none;          ///< number of the still joint; `none`: no vertex needs it

  friend auto operator<=>(const JointMap&, const JointMap&) = default;
};
/// `is_bound`: whether a slot moves anything: it has a bone, and its bind matrix exists. `order`: nodes that are joints in any case, in
/// this order, and before others that vertices need; empty: every bound slot is a joint.
[[nodiscard]] JointMap joint_map(const Mesh& mesh, const Skin& skin, const std::function<bool(std::size_t slot)>& is_bound,
                                 std::span<const Index> order);

/// How a mesh is used.
struct MeshUse {
  Index mesh = none;
  bool skinned = false;
  JointMap joints;
  std::vector<Index> materials;  ///< of the surfaces, where the node replaces them; or empty

  friend auto operator<=>(const MeshUse&, const MeshUse&) = default;
};
/// The mesh for one use. `losses` may be null: they have been told.
[[nodiscard]] Mesh gltf_mesh(const Model& model, const MeshUse& use, const EditReporter* losses);

/// Whether a clip changes the transform of a node.
[[nodiscard]] bool is_animated(const Model& model, Index node);

/// Gives every node a transform that glTF can say, animated ones too, and the clips' tracks to who they belong to.
void unshear(Model& model, const Model& from, const EditReporter& losses);

}  // namespace sinew::operations
