// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns the glTF document with the G4MF document's cameras and lights (KHR_lights_punctual), without duplicates. `node_of`: that of
/// ToGltf. `losses`: data that glTF cannot store.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_g4mf_cameras(const std::shared_ptr<const document::Document>& gltf,
                                                                                  const document::Document& g4mf,
                                                                                  std::span<const Index> node_of, FindingSink& losses);

}  // namespace sinew::operations
