// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "sinew/model.hpp"
#include "sinew/retarget.hpp"

namespace sinew::operations {

/// A motion whose rest pose is its bind pose, and by how many degrees the stored one leans.
struct BoundRest {
  Model model;
  double lean = 0;
};

/// Some files store a moment of a clip as the pose of their nodes: a figure that has its weight on one leg. Taken as the rest pose, it
/// would make each motion lean to the other side. Returns the motion with the bind pose of its skin instead (the inverses of its bind
/// matrices), if there shoulders and hips are level, and not in the stored pose. The hips stay where they are, and up stays up. Of three
/// dimensions.
[[nodiscard]] std::optional<BoundRest> with_bound_rest(const Model& motion, std::span<const BonePair> pairs);

}  // namespace sinew::operations
