// SPDX-License-Identifier: MIT
#include "gltf/schema/extensions.hpp"

#include <algorithm>

#include "gltf/schema/root_table.hpp"
#include "gltf/schema/tables_extension.hpp"

namespace sinew::gltf {

namespace {

struct ExtensionRow {
  std::string_view name;  ///< a star at its end stands for anything
  ExtensionUse use;
};

// The first row that fits counts; what fits none is refused.
constexpr ExtensionRow extension_table[] = {
    {"KHR_mesh_quantization", ExtensionUse::applied},
    {"EXT_meshopt_compression", ExtensionUse::applied},
    {"KHR_draco_mesh_compression", ExtensionUse::applied},
    {"KHR_node_visibility", ExtensionUse::applied},
    {"STAIK_skeletons", ExtensionUse::applied},
    {"KHR_skeleton_bone", ExtensionUse::applied},
    {"KHR_materials_*", ExtensionUse::carried},
    {"KHR_texture_*", ExtensionUse::carried},
    {"EXT_texture_*", ExtensionUse::carried},
    {"KHR_lights_punctual", ExtensionUse::carried},
    {"KHR_skin_strict", ExtensionUse::carried},  // a promise about skins, without data
    {"KHR_xmp*", ExtensionUse::carried},
    {"VRM*", ExtensionUse::carried},
    {"EXT_mesh_gpu_instancing", ExtensionUse::refused},  // would multiply instances
    {"KHR_animation_pointer", ExtensionUse::refused},    // would move what channels cannot name
    {"KHR_meshopt_compression", ExtensionUse::refused},  // another bitstream than EXT_meshopt_compression's
};

constexpr ExtensionPlace webp_places[] = {{.holder = &texture_table, .object = &texture_webp_table}};
constexpr ExtensionPlace pointer_places[] = {{.holder = &channel_target_table, .object = &animation_pointer_table, .partial = true}};
constexpr ExtensionPlace light_places[] = {{.holder = &root_table, .object = &lights_table},
                                           {.holder = &node_table, .object = &node_light_table, .of_file = true}};
constexpr ExtensionPlace anisotropy_places[] = {{.holder = &material_table, .object = &anisotropy_table}};
constexpr ExtensionPlace clearcoat_places[] = {{.holder = &material_table, .object = &clearcoat_table}};
constexpr ExtensionPlace dispersion_places[] = {{.holder = &material_table, .object = &dispersion_table}};
constexpr ExtensionPlace emissive_strength_places[] = {{.holder = &material_table, .object = &emissive_strength_table}};
constexpr ExtensionPlace ior_places[] = {{.holder = &material_table, .object = &ior_table}};
constexpr ExtensionPlace iridescence_places[] = {{.holder = &material_table, .object = &iridescence_table}};
constexpr ExtensionPlace specular_glossiness_places[] = {{.holder = &material_table, .object = &specular_glossiness_table, .alone = true}};
constexpr ExtensionPlace sheen_places[] = {{.holder = &material_table, .object = &sheen_table}};
constexpr ExtensionPlace specular_places[] = {{.holder = &material_table, .object = &specular_table}};
constexpr ExtensionPlace transmission_places[] = {{.holder = &material_table, .object = &transmission_table}};
constexpr ExtensionPlace unlit_places[] = {{.holder = &material_table, .object = &unlit_table, .alone = true}};
constexpr ExtensionPlace variant_places[] = {{.holder = &root_table, .object = &variants_table},
                                             {.holder = &primitive_table, .object = &mappings_table, .of_file = true}};
constexpr ExtensionPlace volume_places[] = {{.holder = &material_table, .object = &volume_table}};
constexpr ExtensionPlace transform_places[] = {{.holder = &texture_info_table, .object = &texture_transform_table},
                                               {.holder = &normal_texture_table, .object = &texture_transform_table},
                                               {.holder = &occlusion_texture_table, .object = &texture_transform_table}};
constexpr ExtensionPlace visibility_places[] = {{.holder = &node_table, .object = &visibility_table}};

// Each extension once, with every kind of object that it may stand in.
constexpr CheckedExtension checked_extensions[] = {
    {.name = "EXT_texture_webp", .places = webp_places, .widens = &image_table, .wider = &image_or_webp_table},
    {.name = "KHR_animation_pointer", .places = pointer_places, .widens = &channel_target_table, .wider = &target_or_pointer_table},
    {.name = "KHR_lights_punctual", .places = light_places},
    {.name = "KHR_materials_anisotropy", .places = anisotropy_places},
    {.name = "KHR_materials_clearcoat", .places = clearcoat_places},
    {.name = "KHR_materials_dispersion", .places = dispersion_places},
    {.name = "KHR_materials_emissive_strength", .places = emissive_strength_places},
    {.name = "KHR_materials_ior", .places = ior_places},
    {.name = "KHR_materials_iridescence", .places = iridescence_places},
    {.name = "KHR_materials_pbrSpecularGlossiness", .places = specular_glossiness_places},
    {.name = "KHR_materials_sheen", .places = sheen_places},
    {.name = "KHR_materials_specular", .places = specular_places},
    {.name = "KHR_materials_transmission", .places = transmission_places},
    {.name = "KHR_materials_unlit", .places = unlit_places},
    {.name = "KHR_materials_variants", .places = variant_places},
    {.name = "KHR_materials_volume", .places = volume_places},
    {.name = "KHR_mesh_quantization", .never_optional = true},
    {.name = "KHR_node_visibility", .places = visibility_places},
    {.name = "KHR_texture_transform", .places = transform_places},
    {.name = "STAIK_skeletons", .silent = true},
};

}  // namespace

const CheckedExtension* find_checked_extension(std::string_view name) {
  const auto* const found = std::ranges::find(checked_extensions, name, &CheckedExtension::name);
  return found == std::end(checked_extensions) ? nullptr : found;
}

const ExtensionPlace* find_place(const CheckedExtension& extension, const document::Table& holder) {
  const auto found = std::ranges::find(extension.places, &holder, &ExtensionPlace::holder);
  return found == extension.places.end() ? nullptr : &*found;
}

ExtensionUse use_of_extension(std::string_view name) {
  for (const ExtensionRow& row : extension_table)
    if (row.name.ends_with('*') ? name.starts_with(row.name.substr(0, row.name.size() - 1)) : name == row.name) return row.use;
  return ExtensionUse::refused;
}

}  // namespace sinew::gltf
