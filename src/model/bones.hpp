// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"

namespace sinew {

/// The nodes that are bones: joints of skins and skeletons without a defect, and what the file marks as one.
[[nodiscard]] std::vector<bool> bones_of(const Model& model);

}  // namespace sinew
