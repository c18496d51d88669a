// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

inline constexpr std::string_view ext_meshopt_extension = "EXT_meshopt_compression";
inline constexpr std::string_view meshopt_extension = "KHR_meshopt_compression";
inline constexpr std::string_view meshopt_extensions[] = {meshopt_extension, ext_meshopt_extension};

inline constexpr std::string_view meshopt_modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
inline constexpr std::string_view meshopt_filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"};
template <std::size_t filters>
inline constexpr auto meshopt_rows = std::to_array<Property>({
    row::index("buffer", Reference::buffer, row::Need::required),
    row::offset("byteOffset"),
    row::size("byteLength", 1),
    {.name = "byteStride", .type = PropertyType::integer, .need = row::Need::required, .minimum = 2, .maximum = 256},
    row::size("count", 1),
    row::choice("mode", meshopt_modes, row::Need::required),
    row::choice("filter", std::span(meshopt_filters).first(filters)),
});
inline constexpr TableOf meshopt_table(meshopt_rows<5>);
using MeshoptObject = ObjectOf<meshopt_table>;
inline constexpr TableOf ext_meshopt_table(meshopt_rows<4>);
using ExtMeshoptObject = ObjectOf<ext_meshopt_table>;

}  // namespace sinew::gltf
