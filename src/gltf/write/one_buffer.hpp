// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

/// Returns the document with all available buffers in the first one, as a GLB stores them; nullptr if it has one buffer or none. Buffers
/// on the web, and those whose bytes only a compression replaces, stay in the list behind it. `losses`: files that cannot be read.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_one_buffer(const document::Document& document, FindingSink& losses);

}  // namespace sinew::gltf
