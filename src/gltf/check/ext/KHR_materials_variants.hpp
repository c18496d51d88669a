// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "gltf/check/checker.hpp"

/// KHR_materials_variants: other materials of a primitive, by variants of the file. Nothing but checks.
namespace sinew::gltf::variants {

inline constexpr std::string_view extension = "KHR_materials_variants";

/// The mappings of a primitive. Calls `use` with each material that they name and its place.
void check_primitive(Checker& checker, JsonValue value, const std::function<void(JsonValue at, Index material)>& use);

}  // namespace sinew::gltf::variants
