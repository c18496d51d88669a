// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// Whether a node is another one or stands somewhere above it.
[[nodiscard]] bool is_above(const Model& model, Index above, Index node);

/// The number of nodes from the root of its tree to a node, both counted.
[[nodiscard]] std::vector<std::uint32_t> depths(const Model& model);

/// The lowest node that is one of the nodes or above, and above all others; `none` among them counts for nothing. `none` where they hang in
/// several trees, or are none. The form with depths(model) is for many questions.
[[nodiscard]] Index common_ancestor(const Model& model, std::span<const Index> nodes);
[[nodiscard]] Index common_ancestor(const Model& model, std::span<const std::uint32_t> depth, std::span<const Index> nodes);

}  // namespace sinew::operations
