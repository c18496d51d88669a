// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::ext_others {

namespace {

constexpr row::TableOf pointer_channel_table{{row::pointer("target")}};  // and a sampler of the animation
constexpr row::TableOf pointer_channels_table{{row::objects("channels", pointer_channel_table)}};

constexpr Extension list[] = {
    {.name = "EXT_accessor_additional_types", .effect = moves},
    {.name = "EXT_animation_quantization", .effect = moves, .places = {{.holder = &sampler_table, .object = &no_references_table}}},
    {.name = "EXT_animation_sqlerp", .effect = moves, .places = {{.holder = &sampler_table, .object = &no_references_table}}},
    {.name = "EXT_camera_physical", .places = {{.holder = &camera_table, .object = &no_references_table}}},
    {.name = "EXT_geopose", .places = {{.holder = &root_table, .object = &no_references_table}}, .one_per_file = true},
    {.name = "EXT_implicit_*"},
    {.name = "EXT_materials_*", .places = {{.holder = &material_table, .object = &textures_table}}},
    {.name = "EXT_property_animation", .effect = moves, .places = {{.holder = &animation_table, .object = &pointer_channels_table}}},
    {.name = "EXT_volumetricvideo", .effect = moves, .counts_elements = true},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::ext_others
