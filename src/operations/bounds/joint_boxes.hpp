// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "operations/bounds/clusters.hpp"
#include "operations/bounds/extent.hpp"

#include "sinew/slice.hpp"

namespace sinew::operations {

/// Whether the box can be stored in floats.
[[nodiscard]] bool fits(const Extent& extent, std::size_t dimension);
/// The least box of floats around it.
[[nodiscard]] Box rounded(const Extent& extent, std::size_t dimension);

/// What is said where a box does not fit.
[[nodiscard]] Unexpected overflow(const Model& model, Index node);

/// Of each joint of the instances' skins, ascending: the box of the vertices that it influences, in its space. `clusters`: of each
/// instance.
[[nodiscard]] Result<std::vector<Bounds::OfJoint>> joint_boxes(const Model& model, const std::vector<Instance>& instances,
                                                               std::span<const Clusters* const> clusters,
                                                               const std::optional<AmountRange>& range);

}  // namespace sinew::operations
