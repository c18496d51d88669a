// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_draco_mesh_compression.hpp"

namespace sinew::gltf::khr_draco_mesh_compression {

namespace {

constexpr Extension list[] = {
    {.name = draco_extension,
     .use = applied,
     .places = {{.holder = &primitive_table, .object = &draco_table, .unknown = &khronos_codes}},
     .counts_elements = true},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_draco_mesh_compression
