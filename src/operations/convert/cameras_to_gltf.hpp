// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Takes the nodes at the end of a G4MF model away that with_gltf_cameras added for a camera or a light.
/// Precondition: the model was read from the document.
void remove_camera_nodes(const document::Document& g4mf, Model& model);

/// The glTF document with the cameras and lights (KHR_lights_punctual) of the G4MF document, equal ones once. Node i of G4MF is node
/// i − first_node of glTF (ToGltf); a removed one is its parent. `losses`: what glTF has no place for.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_g4mf_cameras(const std::shared_ptr<const document::Document>& gltf,
                                                                                  const document::Document& g4mf, Index first_node,
                                                                                  FindingSink& losses);

}  // namespace sinew::operations
