// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// A skeleton in the making.
struct StrictGroup {
  Index skeleton = none;      ///< of the model, where it has one
  std::vector<Index> skins;   ///< ascending
  std::vector<Index> joints;  ///< the skeleton's, those of the skins, then what lies between; each once
  std::size_t given = 0;      ///< how many of them are named by the skeleton or a skin
  std::vector<Index> tops;    ///< joints whose parent is none of them
  Index parent = none;        ///< of all tops; none = they are roots
  bool joinable = true;       ///< false: joints hang in several trees, whose roots are not all joints themselves
};

/// Skins that share joints, or whose joints lie between each other's, with all joints between; in the order of the model's skeletons, then
/// of the first skins. Precondition: the model's skins and skeletons have no defect.
[[nodiscard]] std::vector<StrictGroup> group_skins(const Model& model);

}  // namespace sinew::operations
