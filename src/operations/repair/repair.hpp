// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/repair.hpp"

namespace sinew::operations {

/// The model with the corrections that sinew/repair.hpp lists. Arrays in which nothing is wrong stay the same bytes, indices never change,
/// and entities with a defect stay as they are. `changes` gets a hint for every array and object that changed, with counts and the worst
/// value.
[[nodiscard]] Result<Model> repair_model(const Model& model, const RepairOptions& options, FindingSink& changes);

/// Only the weights, and only of meshes with a vertex that has more than `most` influences: the strongest stay. `changes` as of repair.
[[nodiscard]] Model limit_influences(const Model& model, std::size_t most, FindingSink& changes);

}  // namespace sinew::operations
