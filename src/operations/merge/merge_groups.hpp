// SPDX-License-Identifier: MIT
#pragma once

#include "operations/merge/merge_plan.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// G4MF: the joints of the body's skeleton `plan.skeleton` with those of the clothes, and what becomes of the groups of every mesh that is
/// concerned. Precondition: the plan's nodes are placed.
[[nodiscard]] Result<> plan_groups(const Model& body, const Model& clothes, MergePlan& plan);

/// Does to the model of the concatenated file what `plan_groups` planned.
void apply_groups(const Model& body, const Model& clothes, const MergePlan& plan, Model& merged);

}  // namespace sinew::operations
