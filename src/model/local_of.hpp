// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace sinew {

/// Returns a local transform equal to the map, to some ten millionths of its size: rotor and scale if possible (a mirroring or
/// shearing map needs a basis), without neutral parts. Precondition: a finite map.
[[nodiscard]] LocalTransform local_of(const Affine& map);

}  // namespace sinew
