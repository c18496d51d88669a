// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/json/json_edit.hpp"

#include "sinew/model.hpp"

namespace sinew::io {

/// glTF's extension for light that is stronger than 1.
inline constexpr std::string_view emissive_strength = "KHR_materials_emissive_strength";

/// Gives a material of glTF what it can say of one of G4MF: the factors of base colour, emission, roughness and metalness. Whether it uses
/// emissive_strength.
bool set_factors(document::JsonValue from, document::JsonEdit& to);

/// The materials of a model that was read from G4MF, as glTF's JSON; nothing for a model from elsewhere.
struct GltfMaterials {
  std::vector<document::JsonEdit> json;  ///< one per material
  std::vector<std::string> extensions;   ///< that they use
  std::vector<std::string> notes;        ///< what of them is lost
};
[[nodiscard]] GltfMaterials gltf_materials(const Model& model);

}  // namespace sinew::io
