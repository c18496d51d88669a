// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew {

/// Returns whether a pose has the model's numbers of nodes and amounts, and each transform as many numbers as its dimension wants. What
/// takes a pose of the caller asks this first: all else reads them without a check. Failure::usage, with the node.
[[nodiscard]] Result<> check_pose(const Model& model, const Pose& pose);

}  // namespace sinew
