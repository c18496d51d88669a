// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "gltf/read/materials.hpp"

namespace sinew::gltf {

/// Whether primitives have what their materials need, and whether their materials use what they have: texture coordinates and tangents.
void check_material_use(Reading& reading, std::span<const MaterialNeeds> materials);

}  // namespace sinew::gltf
