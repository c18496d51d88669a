// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

// Common functions of the operations on skeletons.

/// Returns "node 3 "Hip"", for messages.
[[nodiscard]] std::string label(const Model& model, Index node);
/// Returns the error SINEW_EDIT_REFUSED (Failure::unsupported) at an entity.
[[nodiscard]] Unexpected refuse(const Model& model, const Entity& at, std::string_view why);

/// Fails for skins and skeletons with a defect, and for skins of another format.
[[nodiscard]] Result<> check_skins(const Model& model);

/// Selects the skins whose implied matrices are stored.
enum class Implied : std::uint8_t { stored_pose, all };
[[nodiscard]] Result<> store_matrices(Model& model, Implied which);

/// Inserts a node without a transform between nodes and their common parent. Parent `none`: the nodes are roots, and the new node replaces
/// them in the scenes. Fails if a scene has only some of them.
[[nodiscard]] Result<Index> put_above(Model& model, const std::vector<Index>& nodes, Index parent);

}  // namespace sinew::operations
