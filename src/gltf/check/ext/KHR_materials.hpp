// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "gltf/check/checker.hpp"

/// Rules of the extensions KHR_materials_* that their tables cannot express.
namespace sinew::gltf::materials {

struct Rules {
  std::string_view extension;
  void (*check)(Checker& checker, const CheckedObject& object, const CheckedObject& material) = nullptr;  ///< `object`: of the extension
  std::string_view tangent_texture = {};  ///< the texture that needs a tangent space, in addition to normal textures
};

/// Returns nullptr if the table expresses all rules.
[[nodiscard]] const Rules* find_rules(std::string_view extension);

}  // namespace sinew::gltf::materials
