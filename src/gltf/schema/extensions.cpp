// SPDX-License-Identifier: MIT
#include "gltf/schema/extensions.hpp"

#include <algorithm>

#include "gltf/schema/root_table.hpp"
#include "gltf/schema/tables_extension.hpp"

namespace sinew::gltf {

namespace {

struct ExtensionRow {
  std::string_view name;  ///< a final star matches any text
  ExtensionUse use;
};

// The first matching row counts. Other extensions are refused.
constexpr ExtensionRow extension_table[] = {
    {"KHR_mesh_quantization", ExtensionUse::applied},
    {"EXT_meshopt_compression", ExtensionUse::applied},
    {"KHR_meshopt_compression", ExtensionUse::applied},
    {"KHR_draco_mesh_compression", ExtensionUse::applied},
    {"KHR_node_visibility", ExtensionUse::applied},
    {"STAIK_skeletons", ExtensionUse::applied},
    {"KHR_skeleton_bone", ExtensionUse::applied},
    {"KHR_materials_*", ExtensionUse::carried},
    {"KHR_texture_*", ExtensionUse::carried},
    {"EXT_texture_*", ExtensionUse::carried},
    {"KHR_lights_punctual", ExtensionUse::carried},
    {"KHR_skin_strict", ExtensionUse::carried},  // only promises rules about skins, without data
    {"KHR_xmp*", ExtensionUse::carried},
    {"VRM*", ExtensionUse::carried},
    {"EXT_mesh_gpu_instancing", ExtensionUse::refused},  // multiplies instances
    {"KHR_animation_pointer", ExtensionUse::refused},    // animates properties that other channels cannot
};

// Each extension, with every kind of object that may contain it.
constexpr CheckedExtension checked_extensions[] = {
    {.name = "EXT_texture_webp",
     .places = {{.holder = &texture_table, .object = &texture_webp_table}},
     .widens = &image_table,
     .wider = &image_or_webp_table},
    {.name = "KHR_animation_pointer",
     .places = {{.holder = &channel_target_table, .object = &animation_pointer_table, .partial = true}},
     .widens = &channel_target_table,
     .wider = &target_or_pointer_table},
    {.name = "KHR_lights_punctual",
     .places = {{.holder = &root_table, .object = &lights_table}, {.holder = &node_table, .object = &node_light_table, .of_file = true}}},
    {.name = "KHR_materials_anisotropy", .places = {{.holder = &material_table, .object = &anisotropy_table}}},
    {.name = "KHR_materials_clearcoat", .places = {{.holder = &material_table, .object = &clearcoat_table}}},
    {.name = "KHR_materials_dispersion", .places = {{.holder = &material_table, .object = &dispersion_table}}},
    {.name = "KHR_materials_emissive_strength", .places = {{.holder = &material_table, .object = &emissive_strength_table}}},
    {.name = "KHR_materials_ior", .places = {{.holder = &material_table, .object = &ior_table}}},
    {.name = "KHR_materials_iridescence", .places = {{.holder = &material_table, .object = &iridescence_table}}},
    {.name = "KHR_materials_pbrSpecularGlossiness",
     .places = {{.holder = &material_table, .object = &specular_glossiness_table, .alone = true}}},
    {.name = "KHR_materials_sheen", .places = {{.holder = &material_table, .object = &sheen_table}}},
    {.name = "KHR_materials_specular", .places = {{.holder = &material_table, .object = &specular_table}}},
    {.name = "KHR_materials_transmission", .places = {{.holder = &material_table, .object = &transmission_table}}},
    {.name = "KHR_materials_unlit", .places = {{.holder = &material_table, .object = &unlit_table, .alone = true}}},
    {.name = "KHR_materials_variants",
     .places = {{.holder = &root_table, .object = &variants_table},
                {.holder = &primitive_table, .object = &mappings_table, .of_file = true}}},
    {.name = "KHR_materials_volume", .places = {{.holder = &material_table, .object = &volume_table}}},
    {.name = "KHR_mesh_quantization", .never_optional = true},
    {.name = "KHR_node_visibility", .places = {{.holder = &node_table, .object = &visibility_table}}},
    {.name = "KHR_texture_transform",
     .places = {{.holder = &texture_info_table, .object = &texture_transform_table},
                {.holder = &normal_texture_table, .object = &texture_transform_table},
                {.holder = &occlusion_texture_table, .object = &texture_transform_table}}},
    {.name = "STAIK_skeletons", .silent = true},
};

}  // namespace

const CheckedExtension* find_checked_extension(std::string_view name) {
  const auto* const found = std::ranges::find(checked_extensions, name, &CheckedExtension::name);
  return found == std::end(checked_extensions) ? nullptr : found;
}

const ExtensionPlace* find_place(const CheckedExtension& extension, const Table& holder) {
  const auto* const found = std::ranges::find(extension.places, &holder, &ExtensionPlace::holder);
  return found == std::end(extension.places) ? nullptr : found;
}

ExtensionUse use_of_extension(std::string_view name) {
  for (const ExtensionRow& row : extension_table)
    if (row.name.ends_with('*') ? name.starts_with(row.name.substr(0, row.name.size() - 1)) : name == row.name) return row.use;
  return ExtensionUse::refused;
}

}  // namespace sinew::gltf
