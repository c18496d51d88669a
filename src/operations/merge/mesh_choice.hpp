// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Selects, per model, the meshes that have one of the names or indices, or that a node with such a name draws. Failure::usage: a name that
/// is in no file (`models` are those of all files), or a file without a selected mesh.
[[nodiscard]] Result<std::vector<std::vector<bool>>> choose_meshes(std::span<const Model* const> models,
                                                                   const std::vector<std::string>& wanted);

/// Returns the model with the chosen meshes only: other nodes draw nothing.
[[nodiscard]] Model with_meshes(const Model& model, const std::vector<bool>& chosen);

/// Returns the nodes that only held removed meshes and joints: in `before` they or their descendants drew something or were joints, in
/// `after` none does.
[[nodiscard]] std::vector<Index> emptied_nodes(const Model& before, const Model& after);

}  // namespace sinew::operations
