// SPDX-License-Identifier: MIT
#include "gltf/extensions/KHR_materials_variants.hpp"

namespace sinew::gltf::khr_materials_variants {

namespace {

constexpr Extension list[] = {
    {.name = "KHR_materials_variants",
     .use = carried,
     .places = {{.holder = &root_table, .object = &variants_table},
                {.holder = &primitive_table, .object = &mappings_table, .of_file = true}},
     .checked = true},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_materials_variants
