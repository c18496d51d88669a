// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "operations/fit/bone_shapes.hpp"
#include "operations/fit/surfaces.hpp"

#include "sinew/model.hpp"

namespace sinew::operations::weights {

/// Moves the vertices of clothes that lie on the surface of `wearer`, as this surface turns into that of the body: around a bone as far as
/// the body's surface lies from the wearer's, seen from the bone; at the last bone of a chain (a head, a hand) by the stretch that fits
/// the one surface to the other best (SurfaceMap). Vertices follow by their weights. `twin`: by node of the clothes. Returns by vertex of
/// the clothes whether such last bones move most of it; nothing, and moves nothing, if the wearer has no surface at the bones that move
/// most of the clothes.
[[nodiscard]] std::optional<std::vector<bool>> follow_shape(const Figure& body, const Figure& wearer, std::span<const Index> twin,
                                                            const Model& clothes_model, unsigned threads, RiggedSurface& clothes);

}  // namespace sinew::operations::weights
