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
  ExtensionEffect effect;
};

constexpr ExtensionUse applied = ExtensionUse::applied, carried = ExtensionUse::carried, refused = ExtensionUse::refused;
constexpr ExtensionEffect no_effect = ExtensionEffect::none, poses = ExtensionEffect::pose, moves = ExtensionEffect::moves;

// The first matching row counts. Other extensions are refused, and their effect is unknown.
constexpr ExtensionRow extension_table[] = {
    {"KHR_mesh_quantization", applied, no_effect},
    {"EXT_meshopt_compression", applied, no_effect},
    {"KHR_meshopt_compression", applied, no_effect},
    {"KHR_draco_mesh_compression", applied, no_effect},
    {"KHR_node_visibility", applied, no_effect},
    {"STAIK_skeletons", applied, no_effect},
    {"KHR_skeleton_bone", applied, no_effect},
    {"KHR_materials_*", carried, no_effect},
    {"KHR_texture_*", carried, no_effect},
    {"EXT_texture_*", carried, no_effect},
    {"KHR_lights_punctual", carried, no_effect},
    {"KHR_skin_strict", carried, no_effect},  // only promises rules about skins, without data
    {"KHR_xmp*", carried, no_effect},
    {"VRMC_materials_*", carried, no_effect},
    {"VRMC_vrm_animation", carried, no_effect},  // describes clips that other data contains
    {"VRM*", carried, poses},
    {"EXT_mesh_gpu_instancing", refused, moves},  // multiplies instances
    {"KHR_animation_pointer", refused, moves},    // animates properties that other channels cannot

    {"EXT_property_animation", refused, moves},
    {"EXT_accessor_additional_types", refused, moves},
    {"EXT_animation_quantization", refused, moves},
    {"EXT_animation_sqlerp", refused, moves},
    {"EXT_primitive_interpolate", refused, moves},
    {"EXT_volumetricvideo", refused, moves},
    {"KHR_accessor_float16", refused, moves},
    {"KHR_accessor_float64", refused, moves},
    {"KHR_gaussian_splatting_compression_*", refused, moves},
    {"KHR_spz_compression", refused, moves},
    {"KHR_techniques_webgl", refused, moves},
    {"CESIUM_RTC", refused, moves},
    {"CESIUM_z_up", refused, moves},
    {"FRAUNHOFER_external_model", refused, moves},
    {"MANYFOLD_mesh_progressive", refused, moves},
    {"MESHOPT_compression", refused, moves},
    {"MPEG_accessor_timed", refused, moves},
    {"MPEG_animation_timing", refused, moves},
    {"MPEG_buffer_circular", refused, moves},
    {"MPEG_mesh_linking", refused, moves},
    {"MPEG_scene_dynamic", refused, moves},
    {"NEEDLE_*", refused, moves},
    {"NV_attribute_micromap", refused, moves},
    {"NV_displacement_micromap", refused, moves},
    {"NV_micromap*", refused, moves},
    {"NV_opacity_micromap", refused, moves},  // shares its data with the displacing one
    {"SINEW_animation", refused, moves},
    {"WEB3D_quantized_attributes", refused, moves},

    {"AGI_articulations", refused, poses},
    {"KHR_billboard", refused, poses},
    {"KHR_interactivity", refused, poses},
    {"KHR_physics_rigid_bodies", refused, poses},
    {"MOZ_hubs_components", refused, poses},
    {"MSFT_collision_primitives", refused, poses},
    {"MSFT_physics", refused, poses},
    {"MSFT_rigid_bodies", refused, poses},
    {"OMI_physics_body", refused, poses},
    {"OMI_physics_joint", refused, poses},

    // materials, textures, lights, sound, cameras, facts about a file
    {"ADOBE_*", refused, no_effect},
    {"AGI_stk_metadata", refused, no_effect},
    {"BENTLEY_materials_*", refused, no_effect},
    {"CESIUM_primitive_outline", refused, no_effect},
    {"CESIUM_tile_edges", refused, no_effect},
    {"EXT_camera_physical", refused, no_effect},
    {"EXT_feature_metadata", refused, no_effect},
    {"EXT_geopose", refused, no_effect},
    {"EXT_implicit_*", refused, no_effect},
    {"EXT_instance_features", refused, no_effect},
    {"EXT_lights_*", refused, no_effect},
    {"EXT_materials_*", refused, no_effect},
    {"EXT_mesh_features", refused, no_effect},
    {"EXT_mesh_lod", refused, no_effect},
    {"EXT_mesh_manifold", refused, no_effect},
    {"EXT_mesh_polygon", refused, no_effect},
    {"EXT_mesh_primitive_edge_visibility", refused, no_effect},
    {"EXT_mesh_primitive_restart", refused, no_effect},
    {"EXT_node_lod", refused, no_effect},
    {"EXT_pbr_attributes", refused, no_effect},
    {"EXT_primitive_voxels", refused, no_effect},
    {"EXT_structural_metadata", refused, no_effect},
    {"FB_*", refused, no_effect},
    {"GEO_LOD", refused, no_effect},
    {"GODOT_single_root", refused, no_effect},
    {"INTEL_lights_sunsky", refused, no_effect},
    {"KHR_animation_clip", refused, no_effect},
    {"KHR_animation_controller", refused, no_effect},
    {"KHR_audio_*", refused, no_effect},
    {"KHR_character*", refused, no_effect},
    {"KHR_collision_shapes", refused, no_effect},
    {"KHR_gaussian_splatting", refused, no_effect},
    {"KHR_implicit_shapes", refused, no_effect},
    {"KHR_lights_*", refused, no_effect},
    {"KHR_mesh_opacity_micromap", refused, no_effect},
    {"KHR_node_camera_hint", refused, no_effect},
    {"KHR_node_hoverability", refused, no_effect},
    {"KHR_node_lookat_target", refused, no_effect},
    {"KHR_node_selectability", refused, no_effect},
    {"KITTYCAD_boundary_representation", refused, no_effect},
    {"MAXAR_collision_geometry", refused, no_effect},
    {"MOZ_alt_materials", refused, no_effect},
    {"MOZ_lightmap", refused, no_effect},
    {"MOZ_spatial_audio", refused, no_effect},
    {"MOZ_texture_rgbe", refused, no_effect},
    {"MPEG_audio_spatial", refused, no_effect},
    {"MPEG_lights_texture_based", refused, no_effect},
    {"MPEG_media", refused, no_effect},
    {"MPEG_texture_video", refused, no_effect},
    {"MPEG_viewport_recommended", refused, no_effect},
    {"MSFT_audio_emitter", refused, no_effect},
    {"MSFT_lod", refused, no_effect},
    {"MSFT_packing_*", refused, no_effect},
    {"MSFT_texture_*", refused, no_effect},
    {"NV_materials_mdl", refused, no_effect},
    {"NV_texture_swizzle", refused, no_effect},
    {"OMI_*", refused, no_effect},
    {"PANDA3D_*", refused, no_effect},
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

const ExtensionRow* find_extension(std::string_view name) {
  for (const ExtensionRow& row : extension_table)
    if (row.name.ends_with('*') ? name.starts_with(row.name.substr(0, row.name.size() - 1)) : name == row.name) return &row;
  return nullptr;
}

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
  const ExtensionRow* const row = find_extension(name);
  return row == nullptr ? ExtensionUse::refused : row->use;
}

ExtensionEffect effect_of_extension(std::string_view name) {
  const ExtensionRow* const row = find_extension(name);
  return row == nullptr ? ExtensionEffect::unknown : row->effect;
}

}  // namespace sinew::gltf
