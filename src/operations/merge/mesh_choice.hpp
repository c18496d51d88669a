// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The meshes that have one of the names, that a node of such a name draws, or that have such an index. Failure::usage: a name that no file
/// has (`models` are those of all files), and a file without any of them.
[[nodiscard]] Result<std::vector<std::vector<bool>>> choose_meshes(std::span<const Model* const> models,
                                                                   const std::vector<std::string>& wanted);

/// The model with the chosen meshes only: other nodes draw nothing.
[[nodiscard]] Model with_meshes(const Model& model, const std::vector<bool>& chosen);

/// Nodes that only held meshes and joints which are gone: they drew or were joints in `before`, and neither they nor what is below them
/// do in `after`.
[[nodiscard]] std::vector<Index> emptied_nodes(const Model& before, const Model& after);

}  // namespace sinew::operations
