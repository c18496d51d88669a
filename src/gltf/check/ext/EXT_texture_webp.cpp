// SPDX-License-Identifier: MIT
#include "gltf/check/ext/EXT_texture_webp.hpp"

#include "gltf/check/checked_object.hpp"
#include "gltf/check/textures.hpp"
#include "gltf/schema/tables_extension.hpp"

namespace sinew::gltf::webp {

void check_texture(Reading& reading, JsonValue value, const ImageTypes& types) {
  constexpr std::string_view allowed[] = {media_type};
  check_source(reading, CheckedObject(reading, value, texture_webp_table), types, allowed);
}

}  // namespace sinew::gltf::webp
