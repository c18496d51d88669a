// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"

namespace sinew::operations::vrm {

/// Returns the model turned by 180° about Y, with the same nodes: every space of a node turns with the world, (x, y, z) ↦ (−x, y, −z), so
/// nodes without rotation have none afterwards. Changes positions, normals, tangents and their offsets, transforms, bind matrices and
/// clips. What looks along an axis of its node (cameras, lights) looks the other way then. Precondition: dimension 3, no copies of nodes.
[[nodiscard]] Model half_turned(const Model& model);

}  // namespace sinew::operations::vrm
