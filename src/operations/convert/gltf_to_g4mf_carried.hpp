// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Says what of a glTF document the model does not hold and G4MF's writer therefore leaves behind: textures, cameras, extras, extensions,
/// all of a material but its name and factors.
void report_left_behind(const document::Document& gltf, FindingSink& losses);

/// The G4MF document with the factors of the glTF document's materials, which have the same numbers.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_material_factors(const std::shared_ptr<const document::Document>& g4mf,
                                                                                      const document::Document& gltf);

}  // namespace sinew::operations
