// SPDX-License-Identifier: MIT
#include "gltf/extensions.hpp"

#include <iterator>

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
    {"KHR_materials_*", ExtensionUse::carried},
    {"KHR_texture_*", ExtensionUse::carried},
    {"EXT_texture_*", ExtensionUse::carried},
    {"KHR_lights_punctual", ExtensionUse::carried},
    {"KHR_xmp*", ExtensionUse::carried},
    {"VRM*", ExtensionUse::carried},
    {"EXT_mesh_gpu_instancing", ExtensionUse::refused},  // would multiply instances
    {"KHR_animation_pointer", ExtensionUse::refused},    // would move what channels cannot name
    {"KHR_meshopt_compression", ExtensionUse::refused},  // another bitstream than EXT_meshopt_compression's
};

}  // namespace

ExtensionUse use_of_extension(std::string_view name) {
  for (const ExtensionRow& row : extension_table)
    if (row.name.ends_with('*') ? name.starts_with(row.name.substr(0, row.name.size() - 1)) : name == row.name) return row.use;
  return ExtensionUse::refused;
}

}  // namespace sinew::gltf
