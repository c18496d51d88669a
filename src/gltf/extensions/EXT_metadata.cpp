// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::ext_metadata {

namespace {

constexpr std::string_view tables_list = "EXT_structural_metadata/propertyTables";
constexpr row::TableOf values_table{{
    row::index("values", Reference::buffer_view),
    row::index("arrayOffsets", Reference::buffer_view),
    row::index("stringOffsets", Reference::buffer_view),
}};
constexpr Property column_row = row::object("", values_table);
constexpr Table columns_table{.others = &column_row};
constexpr row::TableOf property_table{{row::object("properties", columns_table)}};
constexpr Property texel_row = row::object("", texture_info_table);
constexpr Table texels_table{.others = &texel_row};
constexpr row::TableOf property_texture_table{{row::object("properties", texels_table)}};
constexpr row::TableOf structural_table{{
    row::objects("propertyTables", property_table),
    row::objects("propertyTextures", property_texture_table),
    row::objects("propertyAttributes", no_references_table),
}};
constexpr row::TableOf structural_primitive_table{{
    row::indices_of_list("propertyTextures", "EXT_structural_metadata/propertyTextures"),
    row::indices_of_list("propertyAttributes", "EXT_structural_metadata/propertyAttributes"),
}};

constexpr row::TableOf feature_table{{row::texture("texture"), row::of_list("propertyTable", tables_list)}};
constexpr row::TableOf features_table{{row::objects("featureIds", feature_table)}};

// The older form has tables by name.
constexpr row::TableOf old_values_table{{
    row::index("bufferView", Reference::buffer_view),
    row::index("arrayOffsetBufferView", Reference::buffer_view),
    row::index("stringOffsetBufferView", Reference::buffer_view),
}};
constexpr Property old_column_row = row::object("", old_values_table);
constexpr Table old_columns_table{.others = &old_column_row};
constexpr row::TableOf old_table{{row::object("properties", old_columns_table)}};
constexpr Property old_table_row = row::object("", old_table);
constexpr Table old_tables_table{.others = &old_table_row};
constexpr row::TableOf old_texel_table{{row::texture("texture")}};
constexpr Property old_texel_row = row::object("", old_texel_table);
constexpr Table old_texels_table{.others = &old_texel_row};
constexpr row::TableOf old_texture_table{{row::object("properties", old_texels_table)}};
constexpr Property old_texture_row = row::object("", old_texture_table);
constexpr Table old_textures_table{.others = &old_texture_row};
constexpr row::TableOf old_root_table{{row::object("featureTables", old_tables_table), row::object("featureTextures", old_textures_table)}};

constexpr Extension list[] = {
    {.name = "EXT_structural_metadata",
     .places = {{.holder = &root_table, .object = &structural_table}, {.holder = &primitive_table, .object = &structural_primitive_table}},
     .one_per_file = true},
    {.name = "EXT_mesh_features", .places = {{.holder = &primitive_table, .object = &features_table}}},
    {.name = "EXT_instance_features", .places = {{.holder = &node_table, .object = &features_table}}},
    {.name = "EXT_feature_metadata",
     .places = {{.holder = &root_table, .object = &old_root_table}, {.holder = &primitive_table, .object = &no_references_table}},
     .one_per_file = true},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::ext_metadata
