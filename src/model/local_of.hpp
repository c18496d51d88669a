// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace sinew {

/// A local transform that is the map, to some ten millionths of its size: a rotor and a scale where they can say it (a mirroring or
/// shearing map needs a basis), neutral parts left out. Precondition: a finite map.
[[nodiscard]] LocalTransform local_of(const Affine& map);

}  // namespace sinew
