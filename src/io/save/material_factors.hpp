// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/json/json_edit.hpp"

#include "sinew/model.hpp"

namespace sinew::io {

/// glTF's extension for emission stronger than 1.
inline constexpr std::string_view emissive_strength = "KHR_materials_emissive_strength";

/// Copies the factors of a G4MF material that glTF supports: base colour, emission, roughness and metalness. Returns whether the result
/// uses emissive_strength.
bool set_factors(document::JsonValue from, document::JsonEdit& to);

/// The materials of a G4MF model as glTF JSON; empty for models from other sources.
struct GltfMaterials {
  std::vector<document::JsonEdit> json;  ///< one per material
  std::vector<std::string> extensions;   ///< extensions that the materials use
  std::vector<std::string> notes;        ///< lost properties
};
[[nodiscard]] GltfMaterials gltf_materials(const Model& model);

}  // namespace sinew::io
