// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"

namespace sinew {

/// Returns the nodes that are bones: joints of skins and skeletons without a defect, and nodes that the file marks as bones.
[[nodiscard]] std::vector<bool> bones_of(const Model& model);

}  // namespace sinew
