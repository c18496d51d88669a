// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_skeleton_bone.hpp"

namespace sinew::gltf::khr_skeleton_bone {

namespace {

constexpr Extension list[] = {
    {.name = skeleton_bone_extension, .use = applied, .places = {{.holder = &node_table, .object = &bone_table, .unknown = &bone_codes}}},
    {.name = "KHR_skin_strict", .use = carried},  // only promises rules about skins, without data
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_skeleton_bone
