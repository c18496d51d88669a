// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// Returns the length of a bone whose child has this transform: y if the child is at (0, y, 0), y > 0; empty otherwise.
[[nodiscard]] std::optional<double> length_to(const LocalTransform& child);

/// Sets missing bone lengths from leaves: children at (0, length, 0) without any other purpose. `occupied`: nodes with content that the
/// model does not contain; may be shorter.
void find_bone_lengths(Model& model, const std::vector<bool>& occupied);

/// Removes bone lengths that follow from the hierarchy: the bone has exactly one child bone, and the length equals length_to of that child.
void forget_implied_lengths(Model& model);

}  // namespace sinew::operations
