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
  std::vector<std::string> keep_separate;  ///< bones of the clothes, by old or new name, that stay bones of their own
  std::vector<std::string> animations;     ///< clips of the clothes that stay, by name or index
  bool all_animations = false;             ///< all clips of the clothes stay
  std::vector<Index> left_out;             ///< nodes of the clothes that are not taken, ascending; nothing below them is
  std::string names;                       ///< how bones are called (bone_name_profiles); empty: names must be equal
  std::string prefix;                      ///< before names of the clothes that the body has too
  unsigned threads = 0;                    ///< 0 = all cores
};

/// A bone of the clothes and what it becomes.
struct PlannedBone {
  Index clothes = none;  ///< its node
  Index body = none;     ///< the bone of the body that it is from now on; none: it is added
  Index parent = none;   ///< of an added one: what it hangs on, in the numbering of the whole; none: a root
  double distance = 0;   ///< between the two pivots at rest
};

/// G4MF: new numbers of the groups of a mesh.
struct GroupNumbers {
  Index mesh = none;         ///< in the whole
  std::vector<Index> group;  ///< of each old group, its new number
  Index beyond = none;       ///< of the first group that has no joint; none: those are left out
};

/// What merging will do, worked out on the two models alone.
struct MergePlan {
  Concatenation nodes;
  std::vector<std::optional<LocalTransform>> locals;               ///< of each node of the clothes: the new transform where it gets one
  std::vector<std::vector<Affine>> joint_from_mesh;                ///< of each skin of the clothes: new matrices; empty: as they are
  Index skeleton = none;                                           ///< of the body's explicit ones: the one that grows
  std::vector<Index> joints;                                       ///< G4MF: of that skeleton, in the whole
  std::vector<std::pair<Index, std::vector<Index>>> other_joints;  ///< G4MF: of skeletons of the body that share meshes with it
  std::vector<GroupNumbers> groups;                                ///< G4MF: of the meshes whose groups change
  std::vector<PlannedBone> bones;
  double tolerance = 0;  ///< the largest distance of pivots that is not refused
};

/// Plans to put the rig of the clothes onto one skeleton of the body, so that nothing moves at rest. Bones with one name become one; the
/// others are added under the nearest ancestor that the body has. Every node of the clothes that stays keeps its world transform, and skins
/// get matrices that make up for different axes of the joints.
/// Failure::usage: several skeletons and none named, or a name that fits nothing. Failure::input: pivots that are further apart than 1 % of
/// the diagonal of the body's rest bounds, names that several bones share, transforms without inverse, no bone that matches. `notes` hears
/// what is left out, and that sizes differ (places are in the clothes).
[[nodiscard]] Result<MergePlan> plan_merge(const Model& body, const Model& clothes, const PlanOptions& options, FindingSink& notes);

/// The plan applied: `whole` is the model of the concatenated file, read again.
[[nodiscard]] Model apply_merge(const Model& body, const Model& clothes, const MergePlan& plan, const Model& whole);

}  // namespace sinew::operations
