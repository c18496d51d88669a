// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/schema/tables_material.hpp"

namespace sinew::gltf {

enum class RootRow : std::uint8_t {
  accessors,
  animations,
  asset,
  buffers,
  bufferViews,
  cameras,
  extensionsUsed,
  extensionsRequired,
  images,
  materials,
  meshes,
  nodes,
  samplers,
  scene,
  scenes,
  skins,
  textures,
  extensions,
  extras,
  end
};
inline constexpr auto root_rows = row::with_common({
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
});
inline constexpr row::Table root_table{root_rows};
using RootObject = document::ObjectOf<RootRow, root_rows>;

}  // namespace sinew::gltf
