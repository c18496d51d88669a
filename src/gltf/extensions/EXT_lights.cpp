// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::ext_lights {

namespace {

constexpr row::TableOf profiles_table{{row::objects("lights", stored_table)}};
constexpr row::TableOf profile_node_table{{row::of_list("light", "EXT_lights_ies/lights")}};

constexpr row::TableOf cube_table{{row::indices("specularImages", Reference::image)}};
constexpr row::TableOf cubes_table{{row::objects("lights", cube_table)}};
constexpr row::TableOf cube_scene_table{{row::of_list("light", "EXT_lights_image_based/lights")}};

constexpr row::TableOf area_root_table{{row::objects("lights", no_references_table)}};
constexpr row::TableOf area_node_table{{row::of_list("light", "EXT_lights_area/lights")}};

constexpr row::TableOf environment_table{{row::index("source", Reference::image)}};
constexpr row::TableOf environments_table{{row::objects("environments", environment_table)}};
constexpr row::TableOf environment_scene_table{{row::of_list("environment", "EXT_lights_environment/environments")}};

constexpr Extension list[] = {
    {.name = "EXT_lights_ies",
     .places = {{.holder = &root_table, .object = &profiles_table}, {.holder = &node_table, .object = &profile_node_table}}},
    {.name = "EXT_lights_image_based",
     .places = {{.holder = &root_table, .object = &cubes_table}, {.holder = &scene_table, .object = &cube_scene_table}},
     .fate = ExtensionFate::kept},  // refers to images and scenes
    {.name = "EXT_lights_area",
     .places = {{.holder = &root_table, .object = &area_root_table}, {.holder = &node_table, .object = &area_node_table}}},
    {.name = "EXT_lights_environment",
     .places = {{.holder = &root_table, .object = &environments_table}, {.holder = &scene_table, .object = &environment_scene_table}}},
    {.name = "EXT_lights_*"},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::ext_lights
