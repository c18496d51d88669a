// SPDX-License-Identifier: MIT
#include <algorithm>

#include "gltf/check/checked_object.hpp"
#include "gltf/check/checks.hpp"
#include "gltf/schema/extensions.hpp"
#include "gltf/schema/tables_extension.hpp"

namespace sinew::gltf {

namespace {

void check_source(Checking& checking, const CheckedObject& texture, const ImageTypes& types, std::span<const std::string_view> allowed) {
  const Index image = texture.index("source", checking);
  if (image == none || types[image].empty() || std::ranges::find(allowed, types[image]) != allowed.end()) return;
  checking.report<"TEXTURE_INVALID_IMAGE_MIME_TYPE"_code>(texture["source"], image, types[image], fmt::join(allowed, " or "));
}

}  // namespace

void check_textures(Checking& checking, const ImageTypes& types) {
  constexpr std::string_view webp[] = {"image/webp"};
  for (const JsonValue value : checking.root()[RootRow::textures].elements()) {
    check_source(checking, CheckedObject(checking, value, texture_table), types, image_types);
    for_each_extension(checking, value, [&](std::string_view name, JsonValue extension) {
      if (name == webp_extension) check_source(checking, CheckedObject(checking, extension, texture_webp_table), types, webp);
    });
  }
}

}  // namespace sinew::gltf
