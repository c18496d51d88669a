// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Gives the surfaces of a G4MF model back the materials that with_gltf_materials copied for their colours; copies at the end of the list
/// go. Precondition: the model was read from the document.
void join_colored_materials(const document::Document& g4mf, Model& model);

/// The glTF document with what the G4MF document's materials, which have the same numbers, say: factors, and textures of two dimensions by
/// the surface's own map. Images are embedded. Also what with_gltf_materials keeps in `extras`. `losses`: textures that are left out, and
/// why.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_g4mf_materials(const std::shared_ptr<const document::Document>& gltf,
                                                                                    const document::Document& g4mf, FindingSink& losses);

}  // namespace sinew::operations
