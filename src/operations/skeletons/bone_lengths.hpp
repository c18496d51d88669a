// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// The length of a bone whose child has this transform: y if the child is at (0, y, 0), y > 0; empty otherwise.
[[nodiscard]] std::optional<double> length_to(const LocalTransform& child);

/// Gives bones without a length the one that a leaf tells: a child that stands at (0, length, 0) and does nothing else. `occupied`: nodes
/// that carry what the model does not show; may be shorter.
void find_bone_lengths(Model& model, const std::vector<bool>& occupied);

/// Removes the lengths that follow from the hierarchy: those of bones with one child that is a bone, equal to length_to that child.
void forget_implied_lengths(Model& model);

}  // namespace sinew::operations
