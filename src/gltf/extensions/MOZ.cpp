// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::moz {

namespace {

// A component's member is a plain value, or a link: the kind of element that it names, and its index.
constexpr row::TableOf node_link_table{{row::index("index", Reference::node)}};
constexpr row::TableOf material_link_table{{row::index("index", Reference::material)}};
constexpr row::TableOf texture_link_table{{row::index("index", Reference::texture)}};
constexpr Table link_table{.kind = [](JsonValue link) -> const Table& {
  const JsonValue type = link["__mhc_link_type"];
  return type.equals("node")       ? node_link_table
         : type.equals("material") ? material_link_table
         : type.equals("texture")  ? texture_link_table
                                   : no_references_table;
}};
constexpr Property member_row = row::loose(row::object("", link_table));
constexpr row::TableOf loop_table{
    {row::loose(row::index("activeClipIndices", Reference::animation)), row::loose(row::index("clip", Reference::animation))}};
constexpr Table component_table{.others = &member_row};
constexpr Property component_rows[] = {row::object("loop-animation", loop_table)};
constexpr Property component_row = row::loose(row::object("", component_table));
constexpr Table components_table{.rows = component_rows, .others = &component_row};

constexpr Property alternative_row = row::index("", Reference::material);
constexpr Table alternative_table{.others = &alternative_row};

constexpr Extension list[] = {
    {.name = "MOZ_hubs_components",
     .effect = poses,
     .places = {{.holder = &node_table, .object = &components_table},
                {.holder = &scene_table, .object = &components_table},
                {.holder = &material_table, .object = &components_table},
                {.holder = &root_table, .object = &no_references_table}},  // its version
     .one_per_file = true},
    {.name = "MOZ_alt_materials", .places = {{.holder = &material_table, .object = &alternative_table}}},
    {.name = "MOZ_lightmap", .places = {{.holder = &material_table, .object = &texture_info_table}}},
    {.name = "MOZ_spatial_audio", .places = {{.holder = &node_table, .object = &no_references_table}}},
    {.name = "MOZ_texture_rgbe", .places = {{.holder = &texture_table, .object = &image_source_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::moz
