// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::vendors {

namespace {

// Extensions of vendors that have few.

constexpr row::TableOf outline_table{{row::index("indices", Reference::accessor)}};
constexpr row::TableOf tile_table{{
    row::index("left", Reference::accessor),
    row::index("bottom", Reference::accessor),
    row::index("right", Reference::accessor),
    row::index("top", Reference::accessor),
}};

constexpr row::TableOf articulations_table{{row::objects("articulations", no_references_table)}};
constexpr row::TableOf panels_table{{row::objects("solarPanelGroups", no_references_table)}};

constexpr row::TableOf node_properties_table{{row::index("node", Reference::node)}};
constexpr row::TableOf bim_table{{row::objects("nodeProperties", node_properties_table)}};

constexpr row::TableOf external_models_table{{row::objects("models", stored_table)}};
constexpr row::TableOf external_user_table{{row::of_list("model", "FRAUNHOFER_external_model/models")}};

constexpr std::string_view mesh_variants_list = "MAXAR_mesh_variants/variants";
constexpr row::TableOf mesh_variants_table{{row::objects("variants", no_references_table), row::of_list("default", mesh_variants_list)}};
constexpr row::TableOf mesh_mapping_table{{row::index("mesh", Reference::mesh), row::indices_of_list("variants", mesh_variants_list)}};
constexpr row::TableOf mesh_mappings_table{{row::objects("mappings", mesh_mapping_table)}};
constexpr row::TableOf collision_mesh_table{{row::index("mesh", Reference::mesh)}};

constexpr row::TableOf panda_shape_table{{row::index("mesh", Reference::mesh)}};
constexpr row::TableOf panda_shapes_table{{row::objects("shapes", panda_shape_table)}};

constexpr Extension material(std::string_view name) {
  return {.name = name, .places = {{.holder = &material_table, .object = &textures_table}}};
}

constexpr Extension list[] = {
    material("ADOBE_materials_*"),
    {.name = "ADOBE_*"},
    {.name = "AGI_articulations",
     .effect = poses,
     .places = {{.holder = &root_table, .object = &articulations_table}, {.holder = &node_table, .object = &no_references_table}}},
    {.name = "AGI_stk_metadata",
     .places = {{.holder = &root_table, .object = &panels_table}, {.holder = &node_table, .object = &no_references_table}}},
    material("BENTLEY_materials_*"),
    {.name = "CESIUM_primitive_outline", .places = {{.holder = &primitive_table, .object = &outline_table}}, .counts_elements = true},
    {.name = "CESIUM_RTC", .effect = moves, .places = {{.holder = &root_table, .object = &no_references_table}}, .one_per_file = true},
    {.name = "CESIUM_tile_edges", .places = {{.holder = &primitive_table, .object = &tile_table}}, .counts_elements = true},
    {.name = "CESIUM_z_up", .effect = moves},
    {.name = "FB_geometry_metadata", .places = {{.holder = &scene_table, .object = &no_references_table}}},
    {.name = "FB_ngon_encoding", .places = {{.holder = &primitive_table, .object = &no_references_table}}, .counts_elements = true},
    material("FB_materials_*"),
    {.name = "FB_*"},
    {.name = "FRAUNHOFER_external_model",
     .effect = moves,
     .places = {{.holder = &root_table, .object = &external_models_table}, {.holder = &node_table, .object = &external_user_table}}},
    {.name = "GEO_LOD"},
    {.name = "GODOT_single_root"},
    {.name = "GRIFFEL_bim_data",
     .places = {{.holder = &root_table, .object = &bim_table}, {.holder = &node_table, .object = &stored_table}},
     .one_per_file = true},  // its lists refer to each other
    {.name = "INTEL_lights_sunsky"},
    {.name = "KITTYCAD_boundary_representation", .counts_elements = true},
    {.name = "MANYFOLD_mesh_progressive", .effect = moves, .counts_elements = true},
    {.name = "MAXAR_collision_geometry", .places = {{.holder = &mesh_table, .object = &collision_mesh_table}}},
    {.name = "MAXAR_mesh_variants",
     .effect = maybe_moves,  // chooses among meshes
     .places = {{.holder = &root_table, .object = &mesh_variants_table}, {.holder = &node_table, .object = &mesh_mappings_table}}},
    {.name = "NEEDLE_*", .effect = moves},
    {.name = "PANDA3D_collision_shapes", .places = {{.holder = &node_table, .object = &panda_shapes_table}}},
    {.name = "PANDA3D_physics_collision_shapes", .places = {{.holder = &node_table, .object = &panda_shapes_table}}},
    {.name = "PANDA3D_*"},
    {.name = "WEB3D_quantized_attributes", .effect = moves, .places = {{.holder = &accessor_table, .object = &no_references_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::vendors
