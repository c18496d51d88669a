// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "document/json/json.hpp"

namespace sinew::g4mf {

// Members that Sinew itself writes to `extras`.

inline constexpr std::string_view original_name_extra = "originalName";  ///< a name that the revision forbids
inline constexpr std::string_view gltf_extra = "glTF";                   ///< data for converting back to glTF
inline constexpr std::string_view avatar_extra = "avatar";  ///< in that of node 0: bones and expressions of an avatar (docs/avatars.md)

[[nodiscard]] inline bool is_own(document::JsonValue extras) {
  if (!extras.is(document::JsonKind::object)) return false;
  for (const document::JsonMember member : extras.members())
    if (!member.key.equals(original_name_extra) && !member.key.equals(gltf_extra)) return false;
  return true;
}

}  // namespace sinew::g4mf
