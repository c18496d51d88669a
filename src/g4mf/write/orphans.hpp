// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::g4mf {

/// Removes what an edit of `before` (null: of nothing) left in `after` without a use: meshes, materials, textures, accessors, buffer views,
/// buffers with their chunks, and bytes of buffers that only those used. What `before` did not use already stays, unless `all`. Indices in
/// `before` and `after` mean the same elements. Null where there is nothing to remove.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> without_orphans(const document::Document* before,
                                                                                const document::Document& after, Revision revision,
                                                                                bool all);

}  // namespace sinew::g4mf
