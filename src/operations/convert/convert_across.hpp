// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/convert.hpp"

namespace sinew::operations {

/// Converts the rigged meshes of a glTF document to a G4MF document of revision 2026-01. `losses`: data that G4MF cannot store.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> gltf_to_g4mf(const std::shared_ptr<const document::Document>& document,
                                                                             const ConvertOptions& options, FindingSink& sink,
                                                                             FindingSink& losses);

}  // namespace sinew::operations
