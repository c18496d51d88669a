// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

inline constexpr std::string_view webp_extension = "EXT_texture_webp";
/// Media types of images if EXT_texture_webp is used.
inline constexpr std::string_view image_types_and_webp[] = {"image/jpeg", "image/png", "image/webp"};
inline constexpr TableOf image_or_webp_table(row::with_words(image_table.list, "mimeType", image_types_and_webp));

}  // namespace sinew::gltf
