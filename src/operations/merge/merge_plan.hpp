// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/concatenation.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

struct PlanOptions {
  std::string skeleton;  ///< of the body, by name or index; empty: its only one
  /// Bones of the clothes, old name and new one, before names are compared.
  std::vector<std::pair<std::string, std::string>> rename;
  std::vector<std::string> keep_separate;  ///< bones of the clothes that are not merged, by old or new name
  std::vector<std::string> animations;     ///< clips of the clothes to keep, by name or index
  bool all_animations = false;             ///< all clips of the clothes stay
  bool fitted = false;                     ///< the clothes get another rest pose or shape (MergeOptions::fit): no clip of them can stay
  std::vector<Index> moved;                ///< nodes of the clothes that are bones because a kept clip moves them
  std::vector<Index> bones;                ///< nodes of the clothes that were joints of parts which are left out
  bool posed = false;                      ///< the clothes have the rest pose of the body; axes of bones may differ
  Index attach = none;                     ///< the node of the body that carries clothes without bones
  std::vector<Index> left_out;             ///< omitted nodes of the clothes, ascending; all their descendants are omitted too
  std::string names;                       ///< the profile of bone names (bone_name_profiles); empty: names must be equal
  double tolerance = 0.01;                 ///< as in MergeOptions
  std::string prefix;                      ///< for names of the clothes that the body also has
  unsigned threads = 0;                    ///< 0 = all cores
};

/// A bone of the clothes and its new place.
struct PlannedBone {
  Index clothes = none;  ///< its node
  Index body = none;     ///< the bone of the body that replaces it; none: it is added
  Index parent = none;   ///< of an added one: its parent in the merged file; none: a root
  double distance = 0;   ///< between the two pivots at rest
  bool moves = false;    ///< as in MergedBone
};

/// G4MF: new numbers of the groups of a mesh.
struct GroupNumbers {
  Index mesh = none;         ///< in the merged file
  std::vector<Index> group;  ///< by old group: its new number
  Index beyond = none;       ///< the new number of the first group without a joint; none: such groups are dropped
};

/// The plan of a merge, computed from the two models alone.
struct MergePlan {
  Concatenation nodes;
  std::vector<std::optional<LocalTransform>> locals;               ///< by node of the clothes: the new transform, if it changes
  std::vector<std::vector<Affine>> joint_from_mesh;                ///< by skin of the clothes: new matrices; empty: unchanged
  Index skeleton = none;                                           ///< the explicit skeleton of the body that gets the bones
  std::vector<Index> joints;                                       ///< G4MF: the joints of that skeleton in the merged file
  std::vector<std::pair<Index, std::vector<Index>>> other_joints;  ///< G4MF: of the body's skeletons that share meshes with it
  std::vector<GroupNumbers> groups;                                ///< G4MF: of the meshes whose groups change
  std::vector<PlannedBone> bones;
  double tolerance = 0;  ///< the largest accepted distance of pivots
};

/// Plans how to attach the rig of the clothes to one skeleton of the body, so that nothing moves at rest. Bones with the same name become
/// one. Other bones are added under their nearest ancestor in the body. Every remaining node of the clothes keeps its world transform; the
/// matrices of skins compensate for different axes of the joints. `notes` gets omitted data and hints about different sizes (places are in
/// the clothes).
/// Failure::usage: several skeletons and none selected, or a name that matches nothing. Failure::input: pivots of bones that move a
/// vertex further apart than the tolerance, names that several bones share, transforms without inverse, no matching bone.
[[nodiscard]] Result<MergePlan> plan_merge(const Model& body, const Model& clothes, const PlanOptions& options, FindingSink& notes);

/// Applies the plan to `whole`, the model of the concatenated file.
[[nodiscard]] Model apply_merge(const Model& body, const Model& clothes, const MergePlan& plan, const Model& whole);

}  // namespace sinew::operations
