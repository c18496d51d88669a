// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/reading.hpp"

namespace sinew::gltf {

/// Nothing but checks: cameras have no effect on geometry.
void check_cameras(Reading& reading);

}  // namespace sinew::gltf
