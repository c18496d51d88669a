// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/convert.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {

/// A glTF document with skeletons of that kind; itself where it has no skins. `sink`: findings of reading it; `losses`: what became a
/// joint.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_skeletons(const std::shared_ptr<const document::Document>& document,
                                                                               Skeletons how, FindingSink& sink, FindingSink& losses);

/// The same of a model.
[[nodiscard]] Result<Model> with_skeletons(const Model& model, Skeletons how, FindingSink& losses);

}  // namespace sinew::operations
