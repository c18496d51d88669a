// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "sinew/document.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The G4MF document with the cameras and lights of the glTF document, at the nodes that stand for theirs (ToG4mf::node_of). What only
/// the way back needs goes to `extras` under "glTF". `losses`: those of nodes that are gone or of no node, and what has no place.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_gltf_cameras(const std::shared_ptr<const document::Document>& g4mf,
                                                                                  const document::Document& gltf,
                                                                                  std::span<const Index> node_of, FindingSink& losses);

}  // namespace sinew::operations
