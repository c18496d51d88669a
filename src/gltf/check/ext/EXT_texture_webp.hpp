// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/check/images.hpp"

/// EXT_texture_webp: a texture may have a WebP image beside, or instead of, its own.
namespace sinew::gltf::webp {

inline constexpr std::string_view extension = "EXT_texture_webp";
inline constexpr std::string_view media_type = "image/webp";

void check_texture(Reading& reading, JsonValue value, const ImageTypes& types);

}  // namespace sinew::gltf::webp
