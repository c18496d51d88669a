// SPDX-License-Identifier: MIT
#include "gltf/check/textures.hpp"

#include <algorithm>

#include "gltf/check/checked_object.hpp"
#include "gltf/check/ext/EXT_texture_webp.hpp"
#include "gltf/schema/tables_material.hpp"

namespace sinew::gltf {

void check_source(Reading& reading, const CheckedObject& texture, const ImageTypes& types, std::span<const std::string_view> allowed) {
  const Index image = texture.index("source", reading);
  if (image == none || types[image].empty() || std::ranges::find(allowed, types[image]) != allowed.end()) return;
  reading.report<"TEXTURE_INVALID_IMAGE_MIME_TYPE"_code>(texture["source"], image, types[image], fmt::join(allowed, " or "));
}

void check_textures(Reading& reading, const ImageTypes& types) {
  for (const JsonValue value : reading.root()[RootRow::textures].elements()) {
    check_source(reading, CheckedObject(reading, value, texture_table), types, image_types);
    for_each_extension(reading, value, [&](std::string_view name, JsonValue extension) {
      if (name == webp::extension) webp::check_texture(reading, extension, types);
    });
  }
}

}  // namespace sinew::gltf
