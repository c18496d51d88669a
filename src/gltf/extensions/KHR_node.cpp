// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_node {

namespace {

constexpr Extension list[] = {
    {.name = "KHR_billboard", .effect = poses, .places = {{.holder = &node_table, .object = &no_references_table}}},
    {.name = "KHR_node_camera_hint", .places = {{.holder = &node_table, .object = &no_references_table}}},
    {.name = "KHR_node_hoverability", .places = {{.holder = &node_table, .object = &no_references_table}}},
    {.name = "KHR_node_lookat_target", .places = {{.holder = &node_table, .object = &no_references_table}}},
    {.name = "KHR_node_selectability", .places = {{.holder = &node_table, .object = &no_references_table}}},
    {.name = "KHR_node_visibility_hint", .places = {{.holder = &node_table, .object = &no_references_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_node
