// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/schema/tables.hpp"

namespace sinew::gltf {

// The properties of objects that only checks read (glTF 2.0, Properties Reference): cameras, images, textures, materials.

inline constexpr auto orthographic_rows = row::with_common({
    row::required(row::number("xmag", 0)),
    row::required(row::number("ymag", 0)),
    row::positive("zfar", row::Need::required),
    row::required(row::factor("znear", 0)),
});
inline constexpr Table orthographic_table{orthographic_rows};

inline constexpr Property perspective_rows[] = {
    row::positive("aspectRatio"),
    row::positive("yfov", row::Need::required),
    row::positive("zfar"),
    row::extensions,
    row::positive("znear", row::Need::required),
    row::extras,
};
inline constexpr Table perspective_table{perspective_rows};

inline constexpr std::string_view camera_types[] = {"orthographic", "perspective"};
// Only the projection that `type` names is checked.
template <const Table* orthographic, const Table* perspective>
inline constexpr auto camera_rows = row::with_common({
    row::choice("type", camera_types, row::Need::required),
    orthographic != nullptr ? row::object("orthographic", *orthographic) : row::value("orthographic", PropertyType::any),
    perspective != nullptr ? row::object("perspective", *perspective) : row::value("perspective", PropertyType::any),
    row::name,
});
inline constexpr Table any_camera_table{camera_rows<nullptr, nullptr>};
inline constexpr Table orthographic_camera_table{camera_rows<&orthographic_table, nullptr>};
inline constexpr Table perspective_camera_table{camera_rows<nullptr, &perspective_table>};
inline constexpr Table camera_table{.rows = camera_rows<nullptr, nullptr>, .kind = [](JsonValue camera) -> const Table& {
                                      const JsonValue type = camera["type"];
                                      return type.equals("orthographic")  ? orthographic_camera_table
                                             : type.equals("perspective") ? perspective_camera_table
                                                                          : any_camera_table;
                                    }};

inline constexpr double magnification_filters[] = {9728, 9729};
inline constexpr double minification_filters[] = {9728, 9729, 9984, 9985, 9986, 9987};
inline constexpr double wrap_modes[] = {33071, 33648, 10497};
inline constexpr row::TableOf texture_sampler_table{{
    row::code("magFilter", magnification_filters, row::Need::optional),
    row::code("minFilter", minification_filters, row::Need::optional),
    row::code("wrapS", wrap_modes, row::Need::optional, 10497),
    row::code("wrapT", wrap_modes, row::Need::optional, 10497),
    row::name,
}};

inline constexpr std::string_view image_types[] = {"image/jpeg", "image/png"};
inline constexpr row::TableOf image_table{{
    row::index("bufferView", Reference::buffer_view, row::Need::optional, Usage::image),
    row::choice("mimeType", image_types),
    row::value("uri", PropertyType::uri),
    row::name,
}};

inline constexpr row::TableOf texture_table{{
    row::index("sampler", Reference::sampler),
    row::index("source", Reference::image),
    row::name,
}};

namespace row {
inline constexpr Property texture_index = index("index", Reference::texture, Need::required);
inline constexpr Property texture_coordinates = {.name = "texCoord", .type = PropertyType::integer, .minimum = 0};
}  // namespace row

inline constexpr row::TableOf texture_info_table{{
    row::texture_index,
    row::texture_coordinates,
}};
inline constexpr row::TableOf normal_texture_table{{
    row::texture_index,
    row::texture_coordinates,
    row::number("scale", 1),
}};
inline constexpr row::TableOf occlusion_texture_table{{
    row::texture_index,
    row::texture_coordinates,
    row::fraction("strength", 1),
}};

inline constexpr row::TableOf metallic_roughness_table{{
    row::colour("baseColorFactor", 4),
    row::object("baseColorTexture", texture_info_table),
    row::fraction("metallicFactor", 1),
    row::fraction("roughnessFactor", 1),
    row::object("metallicRoughnessTexture", texture_info_table),
}};

inline constexpr std::string_view alpha_modes[] = {"OPAQUE", "MASK", "BLEND"};
inline constexpr row::TableOf material_table{{
    row::object("pbrMetallicRoughness", metallic_roughness_table),
    row::object("normalTexture", normal_texture_table),
    row::object("occlusionTexture", occlusion_texture_table),
    row::object("emissiveTexture", texture_info_table),
    row::colour("emissiveFactor", 3),
    row::choice("alphaMode", alpha_modes),
    row::factor("alphaCutoff", 0.5),
    row::boolean("doubleSided"),
    row::name,
}};

}  // namespace sinew::gltf
