// SPDX-License-Identifier: MIT
#include "gltf/extensions.hpp"

#include <algorithm>

#include "gltf/root_table.hpp"

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

constexpr ExtensionPlace visibility_places[] = {{.holder = &node_table, .object = &visibility_table}};

// Each extension once, with every kind of object that it may stand in.
constexpr CheckedExtension checked_extensions[] = {
    {.name = "KHR_mesh_quantization", .never_optional = true},
    {.name = "KHR_node_visibility", .places = visibility_places},
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
