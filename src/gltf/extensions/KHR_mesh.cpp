// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_mesh {

namespace {

constexpr row::TableOf micromap_table{{row::index("data", Reference::buffer_view), row::index("triangles", Reference::buffer_view)}};
constexpr row::TableOf micromaps_table{{row::objects("micromaps", micromap_table)}};
constexpr row::TableOf primitive_micromap_table{{
    row::of_list("micromap", "KHR_mesh_opacity_micromap/micromaps"),
    row::index("micromapIndices", Reference::accessor),
}};

constexpr Extension list[] = {
    {.name = "KHR_mesh_quantization", .use = applied, .checked = true, .never_optional = true},
    {.name = "KHR_mesh_opacity_micromap",
     .places = {{.holder = &root_table, .object = &micromaps_table}, {.holder = &primitive_table, .object = &primitive_micromap_table}},
     .counts_elements = true},
    {.name = "KHR_mesh_primitive_visibility_hint", .places = {{.holder = &primitive_table, .object = &no_references_table}}},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_mesh
