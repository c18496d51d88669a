// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::omi {

namespace {

constexpr row::TableOf shapes_table{{row::objects("shapes", mesh_shape_table)}};

constexpr std::string_view filters_list = "OMI_physics_body/collisionFilters", shapes_list = "OMI_physics_shape/shapes";
constexpr row::TableOf body_root_table{{
    row::objects("physicsMaterials", no_references_table),
    row::objects("collisionFilters", no_references_table),
}};
constexpr row::TableOf collider_table{{
    row::of_list("shape", shapes_list),
    row::of_list("physicsMaterial", "OMI_physics_body/physicsMaterials"),
    row::of_list("collisionFilter", filters_list),
}};
constexpr row::TableOf trigger_table{{
    row::of_list("shape", shapes_list),
    row::indices("nodes", Reference::node),
    row::of_list("collisionFilter", filters_list),
}};
constexpr row::TableOf body_table{{row::object("collider", collider_table), row::object("trigger", trigger_table)}};

constexpr row::TableOf joints_table{{row::objects("physicsJoints", no_references_table)}};
constexpr row::TableOf joint_table{{
    row::of_list("joint", "OMI_physics_joint/physicsJoints"),
    row::index("connectedNode", Reference::node),
    row::index("nodeA", Reference::node),  // of older texts
    row::index("nodeB", Reference::node),
}};

constexpr row::TableOf old_colliders_table{{row::objects("colliders", of_mesh_table)}};
constexpr row::TableOf old_collider_table{{row::of_list("collider", "OMI_collider/colliders")}};
constexpr std::string_view emitters_list = "OMI_audio_emitter/audioEmitters";
constexpr row::TableOf emitter_table{{row::of_list("source", "OMI_audio_emitter/audioSources")}};
constexpr row::TableOf emitter_root_table{{row::objects("audioSources", stored_table), row::objects("audioEmitters", emitter_table)}};
constexpr row::TableOf emitter_node_table{{row::of_list("audioEmitter", emitters_list)}};
constexpr row::TableOf emitter_scene_table{{row::indices_of_list("audioEmitters", emitters_list)}};

constexpr Property sky_row = row::loose(row::object("", texture_info_table));
constexpr Table sky_kind_table{.others = &sky_row};
constexpr Property sky_kind_row = row::loose(row::object("", sky_kind_table));
constexpr Table sky_table{.others = &sky_kind_row};
constexpr row::TableOf skies_table{{row::objects("skies", sky_table)}};
constexpr row::TableOf sky_user_table{{row::of_list("sky", "OMI_environment_sky/skies")}};

constexpr Extension list[] = {
    {.name = "OMI_audio_emitter",
     .places = {{.holder = &root_table, .object = &emitter_root_table},
                {.holder = &node_table, .object = &emitter_node_table},
                {.holder = &scene_table, .object = &emitter_scene_table}}},
    {.name = "OMI_collider",
     .places = {{.holder = &root_table, .object = &old_colliders_table}, {.holder = &node_table, .object = &old_collider_table}}},
    {.name = "OMI_environment_sky",
     .places = {{.holder = &root_table, .object = &skies_table}, {.holder = &scene_table, .object = &sky_user_table}}},
    {.name = "OMI_physics_body",
     .effect = poses,
     .places = {{.holder = &root_table, .object = &body_root_table}, {.holder = &node_table, .object = &body_table}}},
    {.name = "OMI_physics_joint",
     .effect = poses,
     .places = {{.holder = &root_table, .object = &joints_table}, {.holder = &node_table, .object = &joint_table}}},
    {.name = "OMI_physics_shape", .places = {{.holder = &root_table, .object = &shapes_table}}},
    {.name = "OMI_physics_gravity", .places = {{.holder = &node_table, .object = &no_references_table}}},
    {.name = "OMI_spawn_point", .places = {{.holder = &node_table, .object = &no_references_table}}},
    {.name = "OMI_seat", .places = {{.holder = &node_table, .object = &no_references_table}}},
    {.name = "OMI_link", .places = {{.holder = &node_table, .object = &no_references_table}}},
    {.name = "OMI_personality", .places = {{.holder = &node_table, .object = &no_references_table}}},
    {.name = "OMI_*"},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::omi
