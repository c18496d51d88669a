// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// Returns whether `above` is `node` or one of its ancestors.
[[nodiscard]] bool is_above(const Model& model, Index above, Index node);

/// Returns, by node, the number of nodes from the root of its tree, both ends included.
[[nodiscard]] std::vector<std::uint32_t> depths(const Model& model);

/// Returns the lowest node that is an ancestor of all nodes, or one of them. `none` entries are ignored. Returns `none` if they belong to
/// several trees, or if there are no nodes. Use the overload with depths(model) for repeated calls.
[[nodiscard]] Index common_ancestor(const Model& model, std::span<const Index> nodes);
[[nodiscard]] Index common_ancestor(const Model& model, std::span<const std::uint32_t> depth, std::span<const Index> nodes);

}  // namespace sinew::operations
