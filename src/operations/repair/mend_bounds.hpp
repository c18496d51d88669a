// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// glTF: computes `min` and `max` of the accessors anew for which `found` says that they are wrong or missing. `changes` gets a hint for
/// each. Accessors without stored values (Draco) and with infinite values stay.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> mend_bounds(const std::shared_ptr<const document::Document>& document,
                                                                            std::span<const Finding> found, FindingSink& changes);

}  // namespace sinew::operations
