// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include "sinew/convert.hpp"

namespace sinew::operations {

/// Converts a G4MF document of three dimensions to a glTF document for the file `to` (to_gltf), with materials (with_g4mf_materials).
/// Skeletons::keep stores skeletons as the glTF file did that the model came from; others become strict skeletons. Where they cannot, they
/// become plain, and `losses` says why. `losses` also gets what to_gltf and gltf::update report, and the JSON that the model does not hold.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> as_gltf(const std::shared_ptr<const document::Document>& document,
                                                                        const std::filesystem::path& to, const ConvertOptions& options,
                                                                        FindingSink& sink, FindingSink& losses);

}  // namespace sinew::operations
