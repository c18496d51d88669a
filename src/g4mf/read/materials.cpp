// SPDX-License-Identifier: MIT
#include "g4mf/read/materials.hpp"

namespace sinew::g4mf {

void read_materials(Reader& reader) {
  for (const JsonValue value : reader.root()[RootRow::materials].elements()) identify(reader.model().materials.emplace_back(), value);
}

}  // namespace sinew::g4mf
