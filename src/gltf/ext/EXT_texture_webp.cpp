// SPDX-License-Identifier: MIT
#include "gltf/ext/EXT_texture_webp.hpp"

#include "gltf/checked_object.hpp"
#include "gltf/tables_extension.hpp"
#include "gltf/texture_check.hpp"

namespace sinew::gltf::webp {

void check_texture(Reading& reading, JsonValue value, const ImageTypes& types) {
  constexpr std::string_view allowed[] = {media_type};
  check_source(reading, CheckedObject(reading, value, texture_webp_table), types, allowed);
}

}  // namespace sinew::gltf::webp
