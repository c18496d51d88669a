// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// Sets missing bone lengths from leaves: children at (0, length, 0) without any other purpose. `occupied`: nodes with content that the
/// model does not contain; may be shorter.
void find_bone_lengths(Model& model, const std::vector<bool>& occupied);

}  // namespace sinew::operations
