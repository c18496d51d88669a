// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include "sinew/convert.hpp"

namespace sinew::operations {

/// A G4MF document of three dimensions as one of glTF for the file `to` (to_gltf), with materials (with_g4mf_materials). Skeletons of G4MF
/// are strict: Skeletons::keep makes them strict where that can be, and tells why where it cannot. `losses`: what to_gltf and
/// gltf::update tell, and what of the JSON the model does not hold.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> as_gltf(const std::shared_ptr<const document::Document>& document,
                                                                        const std::filesystem::path& to, Skeletons skeletons,
                                                                        FindingSink& sink, FindingSink& losses);

}  // namespace sinew::operations
