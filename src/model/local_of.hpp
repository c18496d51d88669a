// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace sinew {

/// Returns the local transform of a map, to transform_tolerance (math/rotation_scale.hpp), without neutral parts: rotor and scale if
/// possible (a negative scale mirrors), and a basis if the map is sheared or flat. Precondition: a finite map.
[[nodiscard]] LocalTransform local_of(const Affine& map);

}  // namespace sinew
