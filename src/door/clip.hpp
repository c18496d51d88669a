// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"

namespace sinew {

/// Failure::usage: the model has no clip with this index. Failure::input: the clip is broken.
[[nodiscard]] Result<> check_clip(const Model& model, Index clip);

}  // namespace sinew
