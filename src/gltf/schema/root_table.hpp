// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/schema/tables_material.hpp"

namespace sinew::gltf {

inline constexpr row::TableOf root_table{{
    row::elements("accessors", accessor_table),
    row::elements("animations", animation_table),
    row::object("asset", asset_table, row::Need::required),
    row::elements("buffers", buffer_table),
    row::elements("bufferViews", buffer_view_table),
    row::elements("cameras", camera_table),
    row::names("extensionsUsed"),
    row::names("extensionsRequired"),
    row::elements("images", image_table),
    row::elements("materials", material_table),
    row::elements("meshes", mesh_table),
    row::elements("nodes", node_table),
    row::elements("samplers", texture_sampler_table),
    row::index("scene", Reference::scene),
    row::elements("scenes", scene_table),
    row::elements("skins", skin_table),
    row::elements("textures", texture_table),
}};
using RootObject = ObjectOf<root_table>;

}  // namespace sinew::gltf
