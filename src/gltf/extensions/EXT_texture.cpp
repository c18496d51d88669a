// SPDX-License-Identifier: MIT
#include "gltf/extensions/EXT_texture.hpp"

namespace sinew::gltf::ext_texture {

namespace {

constexpr Extension list[] = {
    {.name = webp_extension,
     .use = carried,
     .places = {{.holder = &texture_table, .object = &image_source_table}},
     .widens = &image_table,
     .wider = &image_or_webp_table,
     .checked = true,
     .converted = true},
    {.name = "EXT_texture_procedurals_mx_1_39", .use = carried},
    {.name = "EXT_texture_*", .use = carried, .places = {{.holder = &texture_table, .object = &image_source_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::ext_texture
