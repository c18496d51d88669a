// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_texture {

namespace {

constexpr row::TableOf texture_transform_table{{
    row::numbers("offset", 2), row::number("rotation", 0), row::numbers("scale", 2),
    row::texture_coordinates,  // no default: without it the one of the texture info counts
}};

constexpr row::TableOf videos_table{{row::objects("videos", stored_table)}};
constexpr row::TableOf video_source_table{{row::of_list("source", "KHR_texture_video/videos")}};

// What the nodes of a procedural texture refer to depends on their kind, so the root's object has no table.
constexpr row::TableOf procedural_index_table{{row::of_list("index", "KHR_texture_procedurals/procedurals")}};

constexpr Extension list[] = {
    {.name = "KHR_texture_transform",
     .use = carried,
     .places = {{.holder = &texture_info_table, .object = &texture_transform_table},
                {.holder = &normal_texture_table, .object = &texture_transform_table},
                {.holder = &occlusion_texture_table, .object = &texture_transform_table}},
     .checked = true,
     .converted = true},
    {.name = "KHR_texture_video",
     .use = carried,
     .places = {{.holder = &root_table, .object = &videos_table}, {.holder = &texture_table, .object = &video_source_table}}},
    {.name = "KHR_texture_procedurals",
     .use = carried,
     .places = {{.holder = &texture_info_table, .object = &procedural_index_table},
                {.holder = &normal_texture_table, .object = &procedural_index_table},
                {.holder = &occlusion_texture_table, .object = &procedural_index_table}}},
    {.name = "KHR_texture_*", .use = carried, .places = {{.holder = &texture_table, .object = &image_source_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_texture
