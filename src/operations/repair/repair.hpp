// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/repair.hpp"

namespace sinew::operations {

/// Returns the model with the corrections in the list of sinew/repair.hpp. Correct arrays keep their bytes, indices never change, and
/// entities with a defect stay unchanged. `changes` gets a hint for every changed array and object, with counts and the worst value.
[[nodiscard]] Result<Model> repair_model(const Model& model, const RepairOptions& options, FindingSink& changes);

/// Keeps the `most` strongest weights of each vertex; changes only meshes with a vertex that has more. `changes` as in repair.
[[nodiscard]] Model limit_influences(const Model& model, std::size_t most, FindingSink& changes);

}  // namespace sinew::operations
