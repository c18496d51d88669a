// SPDX-License-Identifier: MIT
#include "gltf/extensions/EXT_mesh_gpu_instancing.hpp"

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::ext_mesh_gpu_instancing {

namespace {

constexpr Property attribute_row = row::index("", Reference::accessor);  // no vertex attribute
constexpr Table attributes{.others = &attribute_row};
constexpr row::TableOf instancing_table{{row::object("attributes", attributes)}};

constexpr Extension list[] = {
    {.name = instancing_extension,
     .use = applied,
     .places = {{.holder = &node_table, .object = &instancing_table}},
     .fate = ExtensionFate::ended},  // refers to accessors, and its nodes lose their meshes
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::ext_mesh_gpu_instancing
