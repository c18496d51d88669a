// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "document/json/json.hpp"

#include "sinew/document.hpp"

namespace sinew::operations {

/// Returns the content of a buffer view that is stored by KHR_ or EXT_meshopt_compression; nothing for other views, and for those that are
/// invalid or larger than the memory limit.
[[nodiscard]] std::optional<std::vector<std::byte>> decoded_view(const document::Document& document, document::JsonValue view);

}  // namespace sinew::operations
