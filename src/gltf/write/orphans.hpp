// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// Removes what an edit of `before` (missing: of nothing) left in `after` without a use: meshes, skins, materials, textures, images,
/// samplers, accessors, buffer views, and the bytes of buffers in the file that only those used. What `before` did not use already stays,
/// unless `all`. Null where there is nothing to remove.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> without_orphans(const document::Document* before,
                                                                                const document::Document& after, bool all);

}  // namespace sinew::gltf
