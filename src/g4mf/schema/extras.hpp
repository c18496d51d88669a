// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "document/json/json.hpp"

namespace sinew::g4mf {

// What Sinew itself puts into `extras`.

inline constexpr std::string_view original_name_extra = "originalName";  ///< a name that the revision does not allow
inline constexpr std::string_view gltf_extra = "glTF";                   ///< what the way back to glTF needs

/// Whether an `extras` holds nothing else.
[[nodiscard]] inline bool is_own(document::JsonValue extras) {
  if (!extras.is(document::JsonKind::object)) return false;
  for (const document::JsonMember member : extras.members())
    if (!member.key.equals(original_name_extra) && !member.key.equals(gltf_extra)) return false;
  return true;
}

}  // namespace sinew::g4mf
