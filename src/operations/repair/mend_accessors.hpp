// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns whether mend_accessors uses findings with this code.
[[nodiscard]] bool concerns_accessors(std::string_view code);

/// glTF: fixes what `found` reports about accessors and the number of weights of a mesh; `changes` gets a hint for each.
///
/// - Computes wrong or missing `min` and `max` anew. Accessors without stored values (Draco) and with infinite values stay.
/// - Sets `normalized` where integers are weights or colours, which have no other meaning.
/// - Packs the data of animation samplers whose view has a stride.
/// - Gives a mesh as many `weights` as it has targets.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> mend_accessors(const std::shared_ptr<const document::Document>& document,
                                                                               std::span<const Finding> found, FindingSink& changes);

}  // namespace sinew::operations
