// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_node_visibility.hpp"

namespace sinew::gltf::khr_node_visibility {

namespace {

constexpr Extension list[] = {
    {.name = visibility_extension,
     .use = applied,
     .places = {{.holder = &node_table, .object = &visibility_table}},
     .checked = true,
     .fate = ExtensionFate::kept},  // it still holds for the nodes
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_node_visibility
