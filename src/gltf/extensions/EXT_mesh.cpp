// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::ext_mesh {

namespace {

constexpr row::TableOf manifold_primitive_table{{
    row::index("indices", Reference::accessor),
    row::object("attributes", attributes_table),
}};
constexpr row::TableOf manifold_table{{
    row::object("manifoldPrimitive", manifold_primitive_table),
    row::index("mergeIndices", Reference::accessor),
    row::index("mergeValues", Reference::accessor),
}};

constexpr row::TableOf group_table{{row::index("indices", Reference::accessor)}};  // and numbers of primitives of the mesh
constexpr row::TableOf restart_table{{row::objects("primitiveGroups", group_table)}};

constexpr row::TableOf line_table{{row::index("indices", Reference::accessor), row::index("material", Reference::material)}};
constexpr row::TableOf edges_table{{
    row::index("visibility", Reference::accessor),
    row::index("material", Reference::material),
    row::index("silhouetteNormals", Reference::accessor),
    row::objects("lineStrings", line_table),
}};

constexpr row::TableOf mesh_levels_table{{row::indices("ids", Reference::mesh)}};
constexpr row::TableOf node_levels_table{{row::indices("ids", Reference::node)}};
constexpr row::TableOf attributes_owner_table{{row::object("attributes", attributes_table)}};
constexpr row::TableOf tangents_table{{row::index("halfedgeTangents", Reference::accessor)}};
constexpr row::TableOf voxels_table{{row::of_list("shape", "KHR_implicit_shapes/shapes")}};

constexpr Extension list[] = {
    {.name = "EXT_mesh_manifold", .places = {{.holder = &mesh_table, .object = &manifold_table}}, .counts_elements = true},
    {.name = "EXT_mesh_primitive_restart", .places = {{.holder = &mesh_table, .object = &restart_table}}, .counts_elements = true},
    {.name = "EXT_mesh_primitive_edge_visibility",
     .places = {{.holder = &primitive_table, .object = &edges_table}},
     .counts_elements = true},
    {.name = "EXT_mesh_lod", .places = {{.holder = &mesh_table, .object = &mesh_levels_table}}},
    {.name = "EXT_node_lod", .places = {{.holder = &node_table, .object = &node_levels_table}}},
    {.name = "EXT_mesh_polygon", .counts_elements = true},
    {.name = "EXT_pbr_attributes", .places = {{.holder = &primitive_table, .object = &attributes_owner_table}}},
    {.name = "EXT_primitive_interpolate",
     .effect = moves,
     .places = {{.holder = &primitive_table, .object = &tangents_table}},
     .counts_elements = true},
    {.name = "EXT_primitive_voxels", .places = {{.holder = &primitive_table, .object = &voxels_table}}, .counts_elements = true},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::ext_mesh
