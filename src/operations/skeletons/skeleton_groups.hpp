// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// A skeleton that is being made strict.
struct StrictGroup {
  Index skeleton = none;      ///< the explicit skeleton of the model, if there is one
  std::vector<Index> skins;   ///< ascending
  std::vector<Index> joints;  ///< those of the skeleton and the skins, then the nodes between them; each once
  std::size_t given = 0;      ///< how many of them the skeleton or a skin lists
  std::vector<Index> tops;    ///< joints whose parent is not a joint of the group
  Index parent = none;        ///< the parent of all tops; none = they are roots
  bool joinable = true;       ///< false: the joints belong to several trees whose roots are not all joints
};

/// Groups skins that share joints, or whose joints lie between each other's, and adds all joints between. The order is that of the model's
/// skeletons, then of the first skins. Precondition: the model's skins and skeletons have no defect.
[[nodiscard]] std::vector<StrictGroup> group_skins(const Model& model);

}  // namespace sinew::operations
