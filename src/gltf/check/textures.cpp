// SPDX-License-Identifier: MIT
#include <algorithm>

#include "gltf/check/checked_object.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/schema/extensions.hpp"
#include "gltf/schema/tables_extension.hpp"

namespace sinew::gltf {

namespace {

void check_source(Checker& checker, const CheckedObject& texture, const ImageTypes& types, std::span<const std::string_view> allowed) {
  const Index image = texture.index("source", checker);
  if (image == none || types[image].empty() || std::ranges::find(allowed, types[image]) != allowed.end()) return;
  checker.report<"TEXTURE_INVALID_IMAGE_MIME_TYPE"_code>(texture["source"], image, types[image], fmt::join(allowed, " or "));
}

}  // namespace

void check_textures(Checker& checker, const ImageTypes& types) {
  constexpr std::string_view webp[] = {"image/webp"};
  for (const JsonValue value : checker.root()[RootRow::textures].elements()) {
    check_source(checker, CheckedObject(checker, value, texture_table), types, image_types);
    for_each_extension(checker, value, [&](std::string_view name, JsonValue extension) {
      if (name == webp_extension) check_source(checker, CheckedObject(checker, extension, texture_webp_table), types, webp);
    });
  }
}

}  // namespace sinew::gltf
