// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "gltf/read/reading.hpp"

namespace sinew::gltf {

/// Materials have no effect on geometry: their names and places are kept, the rest stays in the source.
void read_materials(Reading& reading);

/// What a material needs of the primitives that have it.
struct MaterialNeeds {
  struct TextureCoordinates {
    JsonValue at;  ///< whose they are: a texture info or its transform
    std::uint64_t set = 0;
  };
  std::vector<TextureCoordinates> texture_coordinates;
  bool normal_texture = false;  ///< which a tangent space could be made from
  bool tangent_space = false;
};

/// Nothing but checks.
[[nodiscard]] std::vector<MaterialNeeds> check_materials(Reading& reading);

}  // namespace sinew::gltf
