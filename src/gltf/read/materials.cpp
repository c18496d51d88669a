// SPDX-License-Identifier: MIT
#include "gltf/read/materials.hpp"

namespace sinew::gltf {

void read_materials(Reading& reading) {
  for (const JsonValue value : reading.root()[RootRow::materials].elements()) identify(reading.model().materials.emplace_back(), value);
}

}  // namespace sinew::gltf
