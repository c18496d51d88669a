// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The G4MF document with what the glTF document's materials, which have the same numbers, say: factors; textures of base colour, emission,
/// normals, and roughness and metallic, with occlusion where that is the same texture. Images are embedded. What G4MF has no place for
/// but the way back needs (alpha mode, sides, names) goes to `extras` under "glTF". `losses`: textures that are left out, and why.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_gltf_materials(const std::shared_ptr<const document::Document>& g4mf,
                                                                                    const document::Document& gltf, FindingSink& losses);

}  // namespace sinew::operations
