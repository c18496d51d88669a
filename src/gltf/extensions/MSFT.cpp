// SPDX-License-Identifier: MIT
#include "gltf/extensions/MSFT_lod.hpp"
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::msft {

namespace {

constexpr row::TableOf node_levels_table{{row::indices("ids", Reference::node)}};
constexpr row::TableOf material_levels_table{{row::indices("ids", Reference::material)}};

constexpr std::string_view emitters_list = "MSFT_audio_emitter/emitters";
constexpr row::TableOf played_table{{row::of_list("clip", "MSFT_audio_emitter/clips")}};
constexpr row::TableOf emitter_table{{row::objects("clips", played_table)}};
constexpr row::TableOf audio_table{{row::objects("clips", stored_table), row::objects("emitters", emitter_table)}};
constexpr row::TableOf emitter_user_table{{row::indices_of_list("emitters", emitters_list)}};
constexpr row::TableOf event_table{{row::of_list("emitter", emitters_list)}};
constexpr row::TableOf events_table{{row::objects("events", event_table)}};

constexpr row::TableOf colliders_table{{row::objects("colliders", mesh_shape_table)}};
constexpr row::TableOf collider_user_table{{row::of_list("collider", "MSFT_collision_primitives/colliders")}};
constexpr row::TableOf joint_table{{row::index("connectedNode", Reference::node)}};
constexpr row::TableOf body_table{{row::object("joint", joint_table)}};

constexpr Extension list[] = {
    {.name = "MSFT_audio_emitter",
     .places = {{.holder = &root_table, .object = &audio_table},
                {.holder = &node_table, .object = &emitter_user_table},
                {.holder = &scene_table, .object = &emitter_user_table},
                {.holder = &animation_table, .object = &events_table}}},
    {.name = "MSFT_collision_primitives",
     .effect = poses,
     .places = {{.holder = &root_table, .object = &colliders_table}, {.holder = &node_table, .object = &collider_user_table}}},
    {.name = lod_extension,
     .use = carried,  // the node in the scene is the finest level
     .places = {{.holder = &node_table, .object = &node_levels_table}, {.holder = &material_table, .object = &material_levels_table}},
     .fate = ExtensionFate::kept},  // refers to nodes and materials
    {.name = "MSFT_packing_*", .places = {{.holder = &material_table, .object = &textures_table}}},
    {.name = "MSFT_physics", .effect = poses, .places = {{.holder = &node_table, .object = &body_table}}, .one_per_file = true},
    {.name = "MSFT_rigid_bodies", .effect = poses, .places = {{.holder = &node_table, .object = &body_table}}, .one_per_file = true},
    {.name = "MSFT_texture_dds",
     .places = {{.holder = &texture_table, .object = &image_source_table}},
     .fate = ExtensionFate::kept},  // refers to images
    {.name = "MSFT_texture_*", .places = {{.holder = &texture_table, .object = &image_source_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::msft

namespace sinew::gltf {

std::vector<std::uint64_t> levels_of_detail(document::JsonValue node) {
  std::vector<std::uint64_t> levels;
  for (const document::JsonValue id : node["extensions"][lod_extension]["ids"].elements())
    if (const auto index = document::whole_number(id)) levels.push_back(*index);
  return levels;
}

}  // namespace sinew::gltf
