// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

// What the operations on skeletons have in common.

/// "node 3 "Hip"", for messages.
[[nodiscard]] std::string label(const Model& model, Index node);
/// Failure::unsupported SINEW_EDIT_REFUSED at an entity.
[[nodiscard]] Unexpected refuse(const Model& model, const Entity& at, std::string_view why);
[[nodiscard]] Unexpected out_of_memory(const Model& model);

/// Refuses skins and skeletons with a defect, and skins of another format.
[[nodiscard]] Result<> check_skins(const Model& model);

/// Which skins get matrices of their own that say what they say without.
enum class Implied : std::uint8_t { stored_pose, all };
[[nodiscard]] Result<> store_matrices(Model& model, Implied which);

/// A new node without a transform between nodes and their common parent; `none`: they are roots, and it takes their place in the scenes.
/// Refused where a scene has only some of them.
[[nodiscard]] Result<Index> put_above(Model& model, const std::vector<Index>& nodes, Index parent);

}  // namespace sinew::operations
