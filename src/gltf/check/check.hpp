// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::gltf {

/// Checks every rule of glTF 2.0 and of the extensions of extensions.cpp, and reads the document. Nothing where that gives no model. Files
/// that require an extension which is not supported are checked and read all the same.
[[nodiscard]] std::optional<Model> check(std::shared_ptr<const document::Document> document, FindingSink& sink);

}  // namespace sinew::gltf
