// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include "sinew/convert.hpp"

namespace sinew::operations {

/// Converts a G4MF document of three dimensions to a glTF document for the file `to` (to_gltf), with materials (with_g4mf_materials).
/// Skeletons::keep stores skeletons as the original glTF file, and others as strict ones; if that is impossible, as plain ones, and
/// `losses` gives the reason. `losses` also gets the reports of to_gltf and gltf::update, and JSON that the model does not contain.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> as_gltf(const std::shared_ptr<const document::Document>& document,
                                                                        const std::filesystem::path& to, const ConvertOptions& options,
                                                                        FindingSink& sink, FindingSink& losses);

}  // namespace sinew::operations
