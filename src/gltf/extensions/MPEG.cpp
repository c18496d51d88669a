// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::mpeg {

namespace {

constexpr std::string_view media_list = "MPEG_media/media";
constexpr row::TableOf media_table{{row::objects("media", no_references_table)}};
constexpr row::TableOf circular_table{{row::of_list("media", media_list)}};  // and tracks of that medium
constexpr row::TableOf accessor_user_table{{row::index("accessor", Reference::accessor)}};
constexpr row::TableOf linking_table{{
    row::index("correspondence", Reference::accessor),
    row::index("mesh", Reference::mesh),
    row::index("pose", Reference::accessor),
    row::index("weights", Reference::accessor),
}};
constexpr row::TableOf sound_table{{row::indices("accessors", Reference::accessor), row::indices("reverbFeed", Reference::accessor)}};
constexpr row::TableOf sounds_table{{row::objects("sources", sound_table), row::indices("reverbFeed", Reference::accessor)}};
constexpr row::TableOf scene_dynamic_table{{row::of_list("media", media_list)}};  // and a track of that medium
constexpr row::TableOf viewport_table{{
    row::index("translation", Reference::accessor),
    row::index("rotation", Reference::accessor),
    row::index("parameters", Reference::accessor),
}};
constexpr row::TableOf viewports_table{{row::objects("viewports", viewport_table)}};
constexpr row::TableOf light_table{{
    row::index("rotation_accessor", Reference::accessor),
    row::index("intensity_accessor", Reference::accessor),
    row::index("irradiance_accessor", Reference::accessor),
    row::indices("specular_images", Reference::image),
}};
constexpr row::TableOf lights_table{{row::objects("lights", light_table)}};

constexpr Extension list[] = {
    {.name = "MPEG_accessor_timed",
     .effect = moves,
     .places = {{.holder = &accessor_table, .object = &stored_table}},
     .counts_elements = true},
    {.name = "MPEG_animation_timing",
     .effect = moves,
     .places = {{.holder = &root_table, .object = &accessor_user_table}},
     .one_per_file = true},
    {.name = "MPEG_audio_spatial",
     .places = {{.holder = &root_table, .object = &sounds_table},
                {.holder = &node_table, .object = &sounds_table},
                {.holder = &camera_table, .object = &sounds_table}}},
    {.name = "MPEG_buffer_circular", .effect = moves, .places = {{.holder = &buffer_table, .object = &circular_table}}},
    {.name = "MPEG_lights_texture_based", .places = {{.holder = &root_table, .object = &lights_table}}},
    {.name = "MPEG_media", .places = {{.holder = &root_table, .object = &media_table}}},
    {.name = "MPEG_mesh_linking", .effect = moves, .places = {{.holder = &mesh_table, .object = &linking_table}}, .counts_elements = true},
    {.name = "MPEG_scene_dynamic",
     .effect = moves,
     .places = {{.holder = &root_table, .object = &scene_dynamic_table}},
     .one_per_file = true},
    {.name = "MPEG_texture_video", .places = {{.holder = &texture_table, .object = &accessor_user_table}}},
    {.name = "MPEG_viewport_recommended", .places = {{.holder = &root_table, .object = &viewports_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::mpeg
