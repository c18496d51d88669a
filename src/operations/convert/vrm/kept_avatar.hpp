// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns the G4MF document with the bones, the expressions and the facts about the author of an avatar of VRM, in `extras` of node 0
/// under "glTF" (docs/avatars.md). Precondition: the document was written from `model`, which was made from `gltf`.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_avatar(const std::shared_ptr<const document::Document>& g4mf,
                                                                            const document::Document& gltf, const Model& model);

/// Returns the glTF document with the extension of VRM from which such a G4MF document was made. `model`: of the G4MF document; `node_of`:
/// the nodes of glTF by those of the model.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_vrm(const std::shared_ptr<const document::Document>& gltf,
                                                                         const document::Document& g4mf, const Model& model,
                                                                         std::span<const Index> node_of, FindingSink& losses);

}  // namespace sinew::operations
