// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operations/skeletons/skeleton_groups.hpp"

namespace sinew::operations {

/// Returns the matrices of a skeleton's joints in its default bind pose: its own matrices if it has any; else those of its first skin and
/// of other skins that agree with it on a common joint. Remaining joints are placed relative to their neighbours as at rest. Without any
/// skin all are, in the space of the root's parent. `result`: the new model, with skins bound by matrices; `before`: its source.
[[nodiscard]] std::vector<Affine> default_bind(const Model& result, const Model& before, const StrictGroup& group, Index root);

/// Compares with a tolerance of 1e-5 relative to the larger one.
[[nodiscard]] bool nearly_equal(const Affine& a, const Affine& b);

}  // namespace sinew::operations
