// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// A skeleton of G4MF for some skins of a glTF model. All nodes are those of the source.
struct SkeletonPlan {
  std::vector<Index> skins;
  Index parent = none;                          ///< of the topmost bones; none: the scene
  std::set<Index> bones;                        ///< the joints and the nodes between them and `parent`
  std::set<Index> joints;                       ///< the joints in slots
  bool copied = false;                          ///< the bones are copies, because another skeleton binds these nodes differently
  std::map<Index, Affine> joint_from_skeleton;  ///< the bind pose, all invertible; empty: the rest pose
  std::map<Index, Affine> place;                ///< by skin: skeleton_from_mesh, the transform of the mesh's node
  std::vector<Index> lost;                      ///< skins without a mesh that bind joints in another pose
};

/// Plans skeletons for the usable skins. Skins that share joints, or whose bones would overlap, get one skeleton if one bind pose works for
/// them. `rest`: world transforms at Model::rest. Failure::unsupported: a joint with weights whose bind matrix has no inverse.
[[nodiscard]] Result<std::vector<SkeletonPlan>> plan_skeletons(const Model& model, std::span<const Instance> instances,
                                                               std::span<const Affine> rest);

}  // namespace sinew::operations
