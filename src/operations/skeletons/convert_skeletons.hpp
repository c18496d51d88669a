// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/convert.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {

/// Returns a glTF document with the requested skeletons, or `document` itself if it has no skins. `sink`: findings of reading it. `losses`:
/// nodes that became joints.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_skeletons(const std::shared_ptr<const document::Document>& document,
                                                                               Skeletons how, FindingSink& sink, FindingSink& losses);

/// Does the same for a model.
[[nodiscard]] Result<Model> with_skeletons(const Model& model, Skeletons how, FindingSink& losses);

}  // namespace sinew::operations
