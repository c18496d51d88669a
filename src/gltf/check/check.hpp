// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "sinew/document.hpp"
#include "sinew/model.hpp"

namespace sinew::gltf {

/// Reads the document and checks every rule of glTF 2.0 and of the extensions in extensions.cpp. Returns nothing if no model can be made.
/// Files that require an unsupported extension are checked and read, too.
[[nodiscard]] std::optional<Model> check(std::shared_ptr<const document::Document> document, FindingSink& sink);

}  // namespace sinew::gltf
