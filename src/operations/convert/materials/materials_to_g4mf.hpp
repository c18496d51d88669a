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

/// Returns, by material, the texture coordinates of its base colour, or of its first other texture.
[[nodiscard]] std::vector<gltf::TextureCoordinates> texture_maps(const document::Document& gltf);

/// Returns the G4MF document with the glTF document's materials, which have the same indices: factors; textures of base colour, emission,
/// normals, and roughness and metallic (with occlusion if it is the same texture), if they use the coordinates of texture_maps. Images are
/// embedded. Adds the materials with colours of ToG4mf. `extras` get what only the conversion back needs, under "glTF": alpha mode,
/// double-sidedness, names, originals of copied materials. `losses`: textures that are left out, and why.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_gltf_materials(const std::shared_ptr<const document::Document>& g4mf,
                                                                                    const document::Document& gltf,
                                                                                    std::span<const ColoredMaterial> colored,
                                                                                    FindingSink& losses);

}  // namespace sinew::operations
