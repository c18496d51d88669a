// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/extensions/extension.hpp"

namespace sinew::gltf {

inline constexpr std::string_view skeleton_bone_extension = "KHR_skeleton_bone";

// A draft that no other validator checks, so all its findings have Sinew's own codes.
inline constexpr ObjectCodes bone_codes = {.unknown = "GLTF_SKELETON_BONE_UNKNOWN"_code, .wrong_type = "GLTF_SKELETON_BONE_VALUE"_code};
inline constexpr TableOf bone_table(std::to_array<Property>({
    row::boolean("connected"),
    {.name = "length",
     .type = PropertyType::number,
     .minimum = 0,
     .out_of_range = OutOfRange::fallback,
     .range = "GLTF_SKELETON_BONE_LENGTH"_code},
    row::value("mass", PropertyType::any),   // of an earlier draft
    row::value("shape", PropertyType::any),  // of an earlier draft
    row::value("extensions", PropertyType::any),
    row::extras,
}));
using BoneObject = ObjectOf<bone_table, bone_codes>;

}  // namespace sinew::gltf
