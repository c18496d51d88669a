// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "operations/weights/welded_mesh.hpp"

namespace sinew::operations::weights {

/// Small pieces that lie on a larger one move with it: belts, buckles, buttons. Fitted by themselves, they would sink into the cloth or
/// leave it. A piece rides if nearly all of its points lie within `reach` of larger pieces; each point then moves with the nearest point of
/// those and lies at least as high over them as in `made`. `before`: the clothes before they were fitted, posed by their weights, which may
/// tilt a buckle into its belt; `made`: by point, its place in the clothes as they were made; `alone`: by point, whether it never rides;
/// `points`: by point, its new place.
void carry_riders(const WeldedMesh& before, std::span<const Vec> made, std::span<const std::uint8_t> alone, double reach, unsigned threads,
                  std::vector<Vec>& points);

}  // namespace sinew::operations::weights
