// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Skins and an explicit skeleton that form one rig: they share joints, or joints of one are descendants of those of another.
struct Rig {
  std::string name;           ///< of the skeleton, else of the topmost joint
  std::vector<Index> joints;  ///< nodes, ascending; of G4MF all bones
  std::vector<Index> tops;    ///< joints with no joint above them
  Index container = none;     ///< the lowest node strictly above all tops (G4MF: the skeleton node); none: the scene
  Index skeleton = none;      ///< of Model::skeletons
  bool rigid = false;         ///< a character without skins, whose parts move with nodes
};

/// Returns the rigs in the order of skeletons, then of skins. Entities with a defect are ignored.
[[nodiscard]] std::vector<Rig> rigs_of(const Model& model);

/// Returns the rig with that name or index; if the name is empty, the only rig. Failure::usage if none or several match, Failure::input if
/// there is no rig at all.
[[nodiscard]] Result<Rig> find_rig(const Model& model, const std::string& wanted);

/// Marks, of the nodes that are marked in `joint`, those that move a vertex by its weight or have a mesh without a skin below them.
[[nodiscard]] std::vector<bool> carrying_joints(const Model& model, const std::vector<bool>& joint);

/// Returns the transform of a part below a bone with the world transform `above` that undoes the bone's scale, so that the part is as large
/// in the world as in its own file; nothing if the bone has no scale or no inverse.
[[nodiscard]] std::optional<LocalTransform> with_own_size(const Affine& above, const LocalTransform& local);

/// Returns the largest cosine between two columns of a basis of three dimensions: 0 without shear.
[[nodiscard]] double largest_skew(std::span<const double> basis);

}  // namespace sinew::operations
