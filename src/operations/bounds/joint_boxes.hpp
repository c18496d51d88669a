// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "math/extent.hpp"
#include "operations/bounds/clusters.hpp"

#include "sinew/bounds.hpp"

namespace sinew::operations {

/// Returns whether the sides of the box are finite as floats.
[[nodiscard]] bool fits(const Extent& extent, std::size_t dimension);
/// Cuts a box at the largest float: no result is outside.
[[nodiscard]] Extent in_float(Extent extent);
/// Returns the smallest box of floats that contains the box.
[[nodiscard]] Box rounded(const Extent& extent, std::size_t dimension);

/// Returns the error for a box that does not fit.
[[nodiscard]] Unexpected overflow(const Model& model, Index node);

/// Computes, for each joint of the instances' skins (ascending), the box of the vertices that it influences, in its space; empty if
/// floats cannot hold it. `clusters`: one per instance.
[[nodiscard]] std::vector<Bounds::OfJoint> joint_boxes(const Model& model, const std::vector<Instance>& instances,
                                                       std::span<const Clusters* const> clusters, const std::optional<AmountRange>& range);

}  // namespace sinew::operations
