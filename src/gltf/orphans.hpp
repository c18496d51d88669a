// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/finding.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// Removes what an edit of `before` left without a user in `after`; `first` is the file that `before` was made of by appending. Removes
/// meshes, skins, materials, textures, images, samplers, accessors, buffer views, and their bytes in the first buffer. What nothing used in
/// `before` stays. `losses` hears of extensions that may hold other indices.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> remove_orphans(const document::Document& first,
                                                                               const document::Document& before,
                                                                               const std::shared_ptr<const document::Document>& after,
                                                                               FindingSink& losses);

}  // namespace sinew::gltf
