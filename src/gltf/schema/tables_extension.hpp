// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "gltf/schema/tables_material.hpp"

namespace sinew::gltf {

// The properties of extension objects that only checks read (the extensions' specifications and JSON schemas).

namespace row {

/// Replaces the allowed words of one property of an object.
template <std::size_t count>
constexpr std::array<Property, count> with_words(std::array<Property, count> rows, std::string_view wider_name,
                                                 std::span<const std::string_view> words) {
  for (Property& property : rows)
    if (property.name == wider_name) property.words = words;
  return rows;
}

}  // namespace row

inline constexpr row::TableOf texture_transform_table{{
    row::numbers("offset", 2), row::number("rotation", 0), row::numbers("scale", 2),
    row::texture_coordinates,  // no default: without it the one of the texture info counts
}};

inline constexpr row::TableOf texture_webp_table{{
    row::index("source", Reference::image),
}};
/// Media types of images if EXT_texture_webp is used.
inline constexpr std::string_view image_types_and_webp[] = {"image/jpeg", "image/png", "image/webp"};
inline constexpr TableOf image_or_webp_table(row::with_words(image_table.list, "mimeType", image_types_and_webp));

inline constexpr row::TableOf anisotropy_table{{
    row::fraction("anisotropyStrength", 0),
    row::number("anisotropyRotation", 0),
    row::object("anisotropyTexture", texture_info_table),
}};

inline constexpr row::TableOf clearcoat_table{{
    row::fraction("clearcoatFactor", 0),
    row::object("clearcoatTexture", texture_info_table),
    row::fraction("clearcoatRoughnessFactor", 0),
    row::object("clearcoatRoughnessTexture", texture_info_table),
    row::object("clearcoatNormalTexture", normal_texture_table),
}};

inline constexpr row::TableOf dispersion_table{{
    row::factor("dispersion", 0),
}};

inline constexpr row::TableOf emissive_strength_table{{
    row::factor("emissiveStrength", 1),
}};

inline constexpr row::TableOf ior_table{{
    {.name = "ior", .type = PropertyType::number, .minimum = 1, .also = 0, .out_of_range = OutOfRange::fallback, .fallback = 1.5},
}};

inline constexpr row::TableOf iridescence_table{{
    row::fraction("iridescenceFactor", 0),
    row::object("iridescenceTexture", texture_info_table),
    row::factor("iridescenceIor", 1.3, 1),
    row::factor("iridescenceThicknessMinimum", 100),
    row::factor("iridescenceThicknessMaximum", 400),
    row::object("iridescenceThicknessTexture", texture_info_table),
}};

inline constexpr row::TableOf specular_glossiness_table{{
    row::colour("diffuseFactor", 4),
    row::object("diffuseTexture", texture_info_table),
    row::colour("specularFactor", 3),
    row::fraction("glossinessFactor", 1),
    row::object("specularGlossinessTexture", texture_info_table),
}};

inline constexpr row::TableOf sheen_table{{
    row::colour("sheenColorFactor", 3),
    row::object("sheenColorTexture", texture_info_table),
    row::fraction("sheenRoughnessFactor", 0),
    row::object("sheenRoughnessTexture", texture_info_table),
}};

inline constexpr row::TableOf specular_table{{
    row::fraction("specularFactor", 1),
    row::object("specularTexture", texture_info_table),
    row::colour("specularColorFactor", 3, std::numeric_limits<double>::infinity()),
    row::object("specularColorTexture", texture_info_table),
}};

inline constexpr row::TableOf transmission_table{{
    row::fraction("transmissionFactor", 0),
    row::object("transmissionTexture", texture_info_table),
}};

inline constexpr Table unlit_table{row::common};

inline constexpr row::TableOf volume_table{{
    row::colour("attenuationColor", 3),
    row::positive("attenuationDistance"),
    row::factor("thicknessFactor", 0),
    row::object("thicknessTexture", texture_info_table),
}};

inline constexpr row::TableOf variant_table{{
    row::value("name", PropertyType::string, row::Need::required),
}};
inline constexpr row::TableOf variants_table{{
    row::objects("variants", variant_table, row::Need::required),
}};

inline constexpr row::TableOf mapping_table{{
    row::indices("variants", Reference::variant, row::Need::required),
    row::index("material", Reference::material, row::Need::required),
    row::name,
}};
inline constexpr row::TableOf mappings_table{{
    row::objects("mappings", mapping_table, row::Need::required),
}};

inline constexpr double quarter_turn = std::numbers::pi / 2;
inline constexpr row::TableOf spot_table{{
    {.name = "innerConeAngle",
     .type = PropertyType::number,
     .minimum = 0,
     .maximum = quarter_turn,
     .below = true,
     .out_of_range = OutOfRange::fallback},
    {.name = "outerConeAngle",
     .type = PropertyType::number,
     .minimum = 0,
     .maximum = quarter_turn,
     .above = true,
     .out_of_range = OutOfRange::fallback,
     .fallback = std::numbers::pi / 4},
}};
inline constexpr std::string_view light_types[] = {"directional", "point", "spot"};
inline constexpr row::TableOf light_table{{
    row::colour("color", 3),
    row::factor("intensity", 1),
    row::object("spot", spot_table),
    row::choice("type", light_types, row::Need::required),
    row::positive("range"),
    row::name,
}};
inline constexpr row::TableOf lights_table{{
    row::objects("lights", light_table, row::Need::required),
}};
inline constexpr row::TableOf node_light_table{{
    row::index("light", Reference::light, row::Need::required),
}};

inline constexpr row::TableOf animation_pointer_table{{
    row::value("pointer", PropertyType::string, row::Need::required),
}};
/// Targets of channels if KHR_animation_pointer is used.
inline constexpr std::string_view channel_paths_and_pointer[] = {"translation", "rotation", "scale", "weights", "pointer"};
inline constexpr TableOf target_or_pointer_table(row::with_words(channel_target_table.list, "path", channel_paths_and_pointer));

}  // namespace sinew::gltf
