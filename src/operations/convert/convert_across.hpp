// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/convert.hpp"

namespace sinew::operations {

/// What a glTF document says of rigged meshes as a G4MF document of revision 2026-01. `losses`: what has no place there.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> gltf_to_g4mf(const std::shared_ptr<const document::Document>& document,
                                                                             const ConvertOptions& options, FindingSink& sink,
                                                                             FindingSink& losses);

}  // namespace sinew::operations
