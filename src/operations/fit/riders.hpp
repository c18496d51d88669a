// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "operations/weights/welded_mesh.hpp"

namespace sinew::operations::weights {

/// Small pieces that lie on a larger one move with it: belts, buckles, buttons. Fitted by themselves, they would sink into the cloth or
/// leave it. A piece rides if nearly all of its points lie within `reach` of larger pieces; each point then keeps its place over the
/// nearest point of those. `before`: the clothes before they were fitted; `alone`: by point, whether it never rides; `points`: by point,
/// its new place.
void carry_riders(const WeldedMesh& before, std::span<const std::uint8_t> alone, double reach, unsigned threads, std::vector<Vec>& points);

}  // namespace sinew::operations::weights
