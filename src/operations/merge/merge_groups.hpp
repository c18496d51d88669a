// SPDX-License-Identifier: MIT
#pragma once

#include "operations/merge/merge_plan.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// G4MF: plans the joints of the body's skeleton `plan.skeleton` together with those of the clothes, and the new groups of every affected
/// mesh. Precondition: the plan's nodes are placed.
[[nodiscard]] Result<> plan_groups(const Model& body, const Model& clothes, MergePlan& plan);

/// Applies the result of `plan_groups` to the model of the concatenated file.
void apply_groups(const Model& body, const Model& clothes, const MergePlan& plan, Model& merged);

}  // namespace sinew::operations
