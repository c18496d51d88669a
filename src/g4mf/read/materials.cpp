// SPDX-License-Identifier: MIT
#include "g4mf/read/materials.hpp"

namespace sinew::g4mf {

void read_materials(Reading& reading) {
  for (const JsonValue value : reading.root()[RootRow::materials].elements()) identify(reading.model().materials.emplace_back(), value);
}

}  // namespace sinew::g4mf
