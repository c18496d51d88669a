// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "sinew/model.hpp"

namespace sinew {

/// Returns the transform of node `of` in the space of node `in` (`in_from_of`) at a pose. `of` none: the world, `in` must be a node.
/// `worlds`: world_transforms(model, pose). Where that of `in` has no inverse, the local transforms between the two nodes are multiplied
/// instead, so ancestors of both do not matter. Returns nothing if these have no inverse either.
[[nodiscard]] std::optional<Affine> relative_transform(const Model& model, const Pose& pose, std::span<const Affine> worlds, Index in,
                                                       Index of);

}  // namespace sinew
