// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns the G4MF document with the glTF document's cameras and lights at the corresponding nodes (ToG4mf::node_of). `extras` get what
/// only the conversion back needs, under "glTF". `losses`: those of removed nodes and of no node, and data that G4MF cannot store.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_gltf_cameras(const std::shared_ptr<const document::Document>& g4mf,
                                                                                  const document::Document& gltf,
                                                                                  std::span<const Index> node_of, FindingSink& losses);

}  // namespace sinew::operations
