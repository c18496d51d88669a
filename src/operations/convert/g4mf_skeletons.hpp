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

/// One skeleton of G4MF: what binds some skins of a glTF model. All nodes are the source's.
struct SkeletonPlan {
  std::vector<Index> skins;
  Index parent = none;                          ///< of the topmost bones; none: the scene
  std::set<Index> bones;                        ///< the joints and what lies between them and `parent`
  std::set<Index> joints;                       ///< those that slots name
  bool copied = false;                          ///< the bones are copies: another skeleton has the nodes, and binds them otherwise
  std::map<Index, Affine> joint_from_skeleton;  ///< the bind pose, all with inverses; empty: the nodes are in it as they stand
  std::map<Index, Affine> place;                ///< by skin: skeleton_from_mesh, what the mesh's node has to be
  std::vector<Index> lost;                      ///< skins that no mesh uses and that bind joints in another pose
};

/// Skeletons for the skins that can be used. Skins that share joints, or whose bones would be bones of both, have one skeleton, as far as
/// one bind pose can serve them. `rest`: world transforms at Model::rest. Failure::unsupported: a joint with weights whose bind matrix has
/// no inverse.
[[nodiscard]] Result<std::vector<SkeletonPlan>> plan_skeletons(const Model& model, std::span<const Instance> instances,
                                                               std::span<const Affine> rest);

}  // namespace sinew::operations
