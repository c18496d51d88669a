// SPDX-License-Identifier: MIT
#include "g4mf/appearance.hpp"

namespace sinew::g4mf {

Appearance read_appearance(const Source& source, SourceId material) {
  Appearance made;
  made.double_sided = true;
  std::size_t i = 0;
  for (const document::JsonValue value : source.value(material)["baseColor"]["factor"].elements()) {
    if (i == made.color.size()) break;
    if (const auto number = value.number()) made.color[i] = *number;
    ++i;
  }
  if (made.color[3] < 1) made.alpha = Appearance::Alpha::blend;
  return made;
}

}  // namespace sinew::g4mf
