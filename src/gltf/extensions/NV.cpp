// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::nv {

namespace {

constexpr row::TableOf micromaps_table{{row::objects("micromaps", stored_table)}};
constexpr row::TableOf micromap_user_table{{
    row::of_list("micromap", "NV_micromaps/micromaps"),
    row::index("mapIndices", Reference::accessor),
    row::index("primitiveFlags", Reference::accessor),
    row::index("subdivisionLevels", Reference::accessor),
    row::index("directions", Reference::accessor),
    row::index("directionBounds", Reference::accessor),
    row::object("attributes", attributes_table),
}};
constexpr Extension micromap(std::string_view name) {
  return {.name = name,
          .effect = moves,  // the one that only makes holes shares its data with those that displace
          .places = {{.holder = &root_table, .object = &micromaps_table}, {.holder = &primitive_table, .object = &micromap_user_table}},
          .counts_elements = true};
}

constexpr row::TableOf call_user_table{{row::of_list("functionCall", "NV_materials_mdl/functionCalls")}};
constexpr row::TableOf swizzled_table{{row::index("source", Reference::image)}};
constexpr row::TableOf swizzles_table{{row::objects("options", swizzled_table)}};

constexpr Extension list[] = {
    micromap("NV_attribute_micromap"),
    micromap("NV_displacement_micromap"),
    micromap("NV_opacity_micromap"),
    micromap("NV_micromaps"),
    {.name = "NV_micromap*", .effect = moves, .counts_elements = true},
    // Only a module knows whether an argument is a number or a texture, so the root's object has no table.
    {.name = "NV_materials_mdl", .places = {{.holder = &material_table, .object = &call_user_table}}, .one_per_file = true},
    {.name = "NV_texture_swizzle", .places = {{.holder = &texture_table, .object = &swizzles_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::nv
