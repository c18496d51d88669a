// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_lights_punctual.hpp"

namespace sinew::gltf::khr_lights_punctual {

namespace {

constexpr Extension list[] = {
    {.name = "KHR_lights_punctual",
     .use = carried,
     .places = {{.holder = &root_table, .object = &lights_table}, {.holder = &node_table, .object = &node_light_table, .of_file = true}},
     .checked = true,
     .converted = true},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_lights_punctual
