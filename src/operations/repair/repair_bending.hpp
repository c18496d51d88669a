// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"
#include "sinew/repair.hpp"

namespace sinew::operations {

/// Joins torn seams and removes stray weights, as the options ask, in every scene. `changes` gets a hint for every changed array, with what
/// it did to the deformed mesh; `notes` gets a warning for what stays.
[[nodiscard]] Result<> repair_bending(Model& model, const RepairOptions& options, FindingSink& changes, FindingSink& notes);

}  // namespace sinew::operations
