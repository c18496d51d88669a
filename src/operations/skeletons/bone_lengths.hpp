// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// Gives bones without a length the one that a leaf tells: a child that stands at (0, length, 0) and does nothing else. `occupied`: nodes
/// that carry what the model does not show; may be shorter.
void find_bone_lengths(Model& model, const std::vector<bool>& occupied);

}  // namespace sinew::operations
