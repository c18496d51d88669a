// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"

namespace sinew {

/// Failure::usage where the model has no clip with that index, Failure::input where it is broken.
[[nodiscard]] Result<> check_clip(const Model& model, Index clip);

}  // namespace sinew
