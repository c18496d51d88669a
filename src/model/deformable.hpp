// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"

namespace sinew {

/// Returns whether closure_defect finds nothing. Throws std::bad_alloc, where that returns it as a defect.
[[nodiscard]] bool is_deformable(const Model& model, Index scene = none, Index clip = none);

}  // namespace sinew
