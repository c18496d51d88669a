// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Replaces materials that with_gltf_materials copied for colours of surfaces by their originals; removes copies at the end of the list.
/// Precondition: the model was read from the document.
void join_colored_materials(const document::Document& g4mf, Model& model);

/// Returns the glTF document with the G4MF document's materials, which have the same indices: factors, two-dimensional textures that use
/// the surface's map, and what with_gltf_materials stored in `extras`. Images are embedded. `losses`: textures that are left out, and why.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_g4mf_materials(const std::shared_ptr<const document::Document>& gltf,
                                                                                    const document::Document& g4mf, FindingSink& losses);

}  // namespace sinew::operations
