// SPDX-License-Identifier: MIT
#pragma once

#include <numbers>

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

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
inline constexpr std::string_view punctual_lights_list = "KHR_lights_punctual/lights";
inline constexpr row::TableOf node_light_table{{
    row::of_list("light", punctual_lights_list, row::Need::required),
}};

}  // namespace sinew::gltf
