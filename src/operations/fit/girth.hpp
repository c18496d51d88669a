// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "operations/fit/surfaces.hpp"

namespace sinew::operations::weights {

/// Moves the vertices of clothes so that what surrounds a bone surrounds the body there: around each matched bone the box of the clothes
/// across the bone gets the centre of the body's, and at least its width. Vertices follow by their weights; bones that the clothes do not
/// surround follow their neighbours. `twin`: by node of the clothes, the node of the body, or none.
void fit_girths(const RiggedSurface& body, const Model& clothes_model, std::span<const Index> twin, double clearance,
                RiggedSurface& clothes);

/// The box at rest, in the world, of what follows a joint most.
struct JointBox {
  double size = 0;  ///< the geometric mean of its sides
  Vec centre{};
};
/// By the node of the joint; without joints that too few vertices follow.
[[nodiscard]] std::map<Index, JointBox> boxes_at_joints(const RiggedSurface& rigged);

}  // namespace sinew::operations::weights
