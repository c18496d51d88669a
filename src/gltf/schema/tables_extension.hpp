// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "gltf/schema/tables_material.hpp"

namespace sinew::gltf {

// The properties of extension objects that only checks look at (the extensions' specifications and JSON schemas).

namespace row {

/// The rows of an object one of whose properties an extension gives more words.
template <std::size_t count>
constexpr std::array<Property, count> with_words(std::array<Property, count> rows, std::string_view wider_name,
                                                 std::span<const std::string_view> words) {
  for (Property& property : rows)
    if (property.name == wider_name) property.words = words;
  return rows;
}

}  // namespace row

inline constexpr auto texture_transform_rows = row::with_common({
    row::numbers("offset", 2), row::number("rotation", 0), row::numbers("scale", 2),
    row::texture_coordinates,  // no default: that of the texture info stays
});
inline constexpr row::Table texture_transform_table{texture_transform_rows};

inline constexpr auto texture_webp_rows = row::with_common({
    row::index("source", Reference::image),
});
inline constexpr row::Table texture_webp_table{texture_webp_rows};
/// Images where EXT_texture_webp is used.
inline constexpr std::string_view image_types_and_webp[] = {"image/jpeg", "image/png", "image/webp"};
inline constexpr auto image_or_webp_rows = row::with_words(image_rows, "mimeType", image_types_and_webp);
inline constexpr row::Table image_or_webp_table{image_or_webp_rows};

inline constexpr auto anisotropy_rows = row::with_common({
    row::fraction("anisotropyStrength", 0),
    row::number("anisotropyRotation", 0),
    row::object("anisotropyTexture", texture_info_table),
});
inline constexpr row::Table anisotropy_table{anisotropy_rows};

inline constexpr auto clearcoat_rows = row::with_common({
    row::fraction("clearcoatFactor", 0),
    row::object("clearcoatTexture", texture_info_table),
    row::fraction("clearcoatRoughnessFactor", 0),
    row::object("clearcoatRoughnessTexture", texture_info_table),
    row::object("clearcoatNormalTexture", normal_texture_table),
});
inline constexpr row::Table clearcoat_table{clearcoat_rows};

inline constexpr auto dispersion_rows = row::with_common({
    row::factor("dispersion", 0),
});
inline constexpr row::Table dispersion_table{dispersion_rows};

inline constexpr auto emissive_strength_rows = row::with_common({
    row::factor("emissiveStrength", 1),
});
inline constexpr row::Table emissive_strength_table{emissive_strength_rows};

inline constexpr auto ior_rows = row::with_common({
    {.name = "ior", .type = row::PropertyType::number, .minimum = 1, .also = 0, .outside = row::Outside::fallback, .fallback = 1.5},
});
inline constexpr row::Table ior_table{ior_rows};

inline constexpr auto iridescence_rows = row::with_common({
    row::fraction("iridescenceFactor", 0),
    row::object("iridescenceTexture", texture_info_table),
    row::factor("iridescenceIor", 1.3, 1),
    row::factor("iridescenceThicknessMinimum", 100),
    row::factor("iridescenceThicknessMaximum", 400),
    row::object("iridescenceThicknessTexture", texture_info_table),
});
inline constexpr row::Table iridescence_table{iridescence_rows};

inline constexpr auto specular_glossiness_rows = row::with_common({
    row::colour("diffuseFactor", 4),
    row::object("diffuseTexture", texture_info_table),
    row::colour("specularFactor", 3),
    row::fraction("glossinessFactor", 1),
    row::object("specularGlossinessTexture", texture_info_table),
});
inline constexpr row::Table specular_glossiness_table{specular_glossiness_rows};

inline constexpr auto sheen_rows = row::with_common({
    row::colour("sheenColorFactor", 3),
    row::object("sheenColorTexture", texture_info_table),
    row::fraction("sheenRoughnessFactor", 0),
    row::object("sheenRoughnessTexture", texture_info_table),
});
inline constexpr row::Table sheen_table{sheen_rows};

inline constexpr auto specular_rows = row::with_common({
    row::fraction("specularFactor", 1),
    row::object("specularTexture", texture_info_table),
    row::colour("specularColorFactor", 3, std::numeric_limits<double>::infinity()),
    row::object("specularColorTexture", texture_info_table),
});
inline constexpr row::Table specular_table{specular_rows};

inline constexpr auto transmission_rows = row::with_common({
    row::fraction("transmissionFactor", 0),
    row::object("transmissionTexture", texture_info_table),
});
inline constexpr row::Table transmission_table{transmission_rows};

inline constexpr row::Property unlit_rows[] = {row::extensions, row::extras};
inline constexpr row::Table unlit_table{unlit_rows};

inline constexpr auto volume_rows = row::with_common({
    row::colour("attenuationColor", 3),
    row::positive("attenuationDistance"),
    row::factor("thicknessFactor", 0),
    row::object("thicknessTexture", texture_info_table),
});
inline constexpr row::Table volume_table{volume_rows};

inline constexpr auto variant_rows = row::with_common({
    row::value("name", row::PropertyType::string, row::Need::required),
});
inline constexpr row::Table variant_table{variant_rows};
inline constexpr auto variants_rows = row::with_common({
    row::objects("variants", variant_table, row::Need::required),
});
inline constexpr row::Table variants_table{variants_rows};

inline constexpr auto mapping_rows = row::with_common({
    row::indices("variants", Reference::variant, row::Need::required),
    row::index("material", Reference::material, row::Need::required),
    row::name,
});
inline constexpr row::Table mapping_table{mapping_rows};
inline constexpr auto mappings_rows = row::with_common({
    row::objects("mappings", mapping_table, row::Need::required),
});
inline constexpr row::Table mappings_table{mappings_rows};

inline constexpr double quarter_turn = std::numbers::pi / 2;
inline constexpr auto spot_rows = row::with_common({
    {.name = "innerConeAngle",
     .type = row::PropertyType::number,
     .minimum = 0,
     .maximum = quarter_turn,
     .below = true,
     .outside = row::Outside::fallback},
    {.name = "outerConeAngle",
     .type = row::PropertyType::number,
     .minimum = 0,
     .maximum = quarter_turn,
     .above = true,
     .outside = row::Outside::fallback,
     .fallback = std::numbers::pi / 4},
});
inline constexpr row::Table spot_table{spot_rows};
inline constexpr std::string_view light_types[] = {"directional", "point", "spot"};
inline constexpr auto light_rows = row::with_common({
    row::colour("color", 3),
    row::factor("intensity", 1),
    row::object("spot", spot_table),
    row::choice("type", light_types, row::Need::required),
    row::positive("range"),
    row::name,
});
inline constexpr row::Table light_table{light_rows};
inline constexpr auto lights_rows = row::with_common({
    row::objects("lights", light_table, row::Need::required),
});
inline constexpr row::Table lights_table{lights_rows};
inline constexpr auto node_light_rows = row::with_common({
    row::index("light", Reference::light, row::Need::required),
});
inline constexpr row::Table node_light_table{node_light_rows};

inline constexpr auto animation_pointer_rows = row::with_common({
    row::value("pointer", row::PropertyType::string, row::Need::required),
});
inline constexpr row::Table animation_pointer_table{animation_pointer_rows};
/// Targets of channels where KHR_animation_pointer is used.
inline constexpr std::string_view channel_paths_and_pointer[] = {"translation", "rotation", "scale", "weights", "pointer"};
inline constexpr auto target_or_pointer_rows = row::with_words(channel_target_rows, "path", channel_paths_and_pointer);
inline constexpr row::Table target_or_pointer_table{target_or_pointer_rows};

}  // namespace sinew::gltf
