// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Skins and an explicit skeleton that move as one: they share joints, or joints of one stand below those of another.
struct Rig {
  std::string name;           ///< of the skeleton, else of the topmost joint
  std::vector<Index> joints;  ///< nodes, ascending; of G4MF all bones
  std::vector<Index> tops;    ///< joints with no joint above them
  Index container = none;     ///< the lowest node strictly above all tops (G4MF: the skeleton node); none: the scene
  Index skeleton = none;      ///< of Model::skeletons
};

/// In the order of skeletons, then of skins. What has a defect is left out.
[[nodiscard]] std::vector<Rig> rigs_of(const Model& model);

/// The one of that name or index; of an empty name the only one. Failure::usage where that fits none or several, Failure::input where there
/// is none at all.
[[nodiscard]] Result<Rig> find_rig(const Model& model, const std::string& wanted);

}  // namespace sinew::operations
