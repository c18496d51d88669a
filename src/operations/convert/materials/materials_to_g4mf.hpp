// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gltf/read/read.hpp"
#include "operations/convert/to_g4mf.hpp"

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// By material: the texture coordinates of its base colour, or of the first other texture that it has.
[[nodiscard]] std::vector<gltf::TextureCoordinates> texture_maps(const document::Document& gltf);

/// The G4MF document with what the glTF document's materials, which have the same numbers, say: factors; textures of base colour, emission,
/// normals, and roughness and metallic, with occlusion where that is the same texture, as far as they use the coordinates of texture_maps.
/// Images are embedded. Also the materials with colours, those of ToG4mf. What G4MF has no place for but the way back needs (alpha mode,
/// sides, names, which material is a copy) goes to `extras` under "glTF". `losses`: textures that are left out, and why.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_gltf_materials(const std::shared_ptr<const document::Document>& g4mf,
                                                                                    const document::Document& gltf,
                                                                                    std::span<const ColoredMaterial> colored,
                                                                                    FindingSink& losses);

}  // namespace sinew::operations
