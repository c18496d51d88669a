// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operations/skeletons/skeleton_groups.hpp"

namespace sinew::operations {

/// The matrices of a skeleton's joints in its default bind: those that the skeleton has; else those of its first skin, and of others that
/// bind a joint in common alike. Joints that this leaves stand to their neighbours as they do at rest; without any skin all do, in the
/// space of the root's parent. `result`: the model in the making, its skins bound by matrices; `before`: the one it is made from.
[[nodiscard]] std::vector<Affine> default_bind(const Model& result, const Model& before, const StrictGroup& group, Index root);

/// To a hundred thousandth of the larger one.
[[nodiscard]] bool nearly_equal(const Affine& a, const Affine& b);

}  // namespace sinew::operations
