// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/reading.hpp"

namespace sinew::gltf {

/// Materials have no effect on geometry: their names and places are kept, the rest stays in the source.
void read_materials(Reading& reading);

}  // namespace sinew::gltf
