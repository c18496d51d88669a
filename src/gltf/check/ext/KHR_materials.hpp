// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "gltf/check/checker.hpp"

/// What the tables of the extensions KHR_materials_* cannot say of materials.
namespace sinew::gltf::materials {

struct Rules {
  std::string_view extension;
  void (*check)(Checker& checker, const CheckedObject& object, const CheckedObject& material) = nullptr;  ///< `object`: the extension's
  std::string_view tangent_texture = {};  ///< the texture that needs a tangent space, beside normal textures
};

/// nullptr where the table says it all.
[[nodiscard]] const Rules* find_rules(std::string_view extension);

}  // namespace sinew::gltf::materials
