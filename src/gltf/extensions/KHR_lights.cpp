// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_lights {

namespace {

constexpr row::TableOf cube_table{{row::texture("specularEnvironmentTexture"), row::texture("diffuseEnvironmentTexture")}};
constexpr row::TableOf cubes_table{{row::objects("imageBasedLights", cube_table)}};
constexpr row::TableOf cube_scene_table{{row::of_list("imageBasedLight", "KHR_lights_image_based/imageBasedLights")}};

constexpr row::TableOf profiles_table{{row::objects("lights", stored_table)}};
constexpr row::TableOf profile_node_table{{row::of_list("light", "KHR_lights_photometric/lights")}};

constexpr row::TableOf area_root_table{{row::objects("lights", no_references_table)}};
constexpr row::TableOf area_node_table{{row::of_list("light", "KHR_lights_area/lights")}};
constexpr row::TableOf shadows_node_table{{row::of_list("light", "KHR_lights_shadows/lights")}};

// Its images stand at places that no text fixes, so the root's object has no table.
constexpr row::TableOf environment_scene_table{{row::of_list("light", "KHR_lights_environment/lights")}};

constexpr Extension list[] = {
    {.name = "KHR_lights_image_based",
     .places = {{.holder = &root_table, .object = &cubes_table}, {.holder = &scene_table, .object = &cube_scene_table}}},
    {.name = "KHR_lights_photometric",
     .places = {{.holder = &root_table, .object = &profiles_table}, {.holder = &node_table, .object = &profile_node_table}}},
    {.name = "KHR_lights_area",
     .places = {{.holder = &root_table, .object = &area_root_table}, {.holder = &node_table, .object = &area_node_table}}},
    {.name = "KHR_lights_shadows",
     .places = {{.holder = &root_table, .object = &area_root_table}, {.holder = &node_table, .object = &shadows_node_table}}},
    {.name = "KHR_lights_environment", .places = {{.holder = &scene_table, .object = &environment_scene_table}}},
    {.name = "KHR_lights_*"},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_lights
