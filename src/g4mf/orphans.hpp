// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/finding.hpp"
#include "sinew/result.hpp"
#include "sinew/revision.hpp"

namespace sinew::g4mf {

/// Removes what an edit of `before` left without a user in `after`; `first` is the file that `before` was made of by appending. Removes
/// meshes, materials, textures, accessors, buffer views, buffers with their chunks, and bytes of other buffers. What nothing used in
/// `before` stays. `losses` hears of extensions of the first file that may hold other indices.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> remove_orphans(const document::Document& first,
                                                                               const document::Document& before,
                                                                               const std::shared_ptr<const document::Document>& after,
                                                                               Revision revision, FindingSink& losses);

}  // namespace sinew::g4mf
