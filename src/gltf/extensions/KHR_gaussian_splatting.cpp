// SPDX-License-Identifier: MIT
#include "gltf/extensions/extension.hpp"

namespace sinew::gltf::khr_gaussian_splatting {

namespace {

constexpr Extension list[] = {
    {.name = "KHR_gaussian_splatting", .places = {{.holder = &primitive_table, .object = &no_references_table}}, .counts_elements = true},
    {.name = "KHR_gaussian_splatting_compression_spz_2",
     .effect = moves,
     .places = {{.holder = &primitive_table, .object = &stored_table}},
     .counts_elements = true},
    {.name = "KHR_gaussian_splatting_compression_EGSC",
     .effect = moves,
     .places = {{.holder = &primitive_table, .object = &stored_table}},
     .counts_elements = true},
    {.name = "KHR_gaussian_splatting_compression_*", .effect = moves, .counts_elements = true},
    {.name = "KHR_spz_compression",
     .effect = moves,
     .places = {{.holder = &primitive_table, .object = &stored_table}},
     .counts_elements = true},
};

}  // namespace

const std::span<const Extension> extensions = list;

}  // namespace sinew::gltf::khr_gaussian_splatting
