// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::validate {

/// Gives each finding with a pointer and without a position the one of its value; where the pointer leads to nothing, of the nearest
/// value above. One walk over the values for all pointers, one pass over the text for all lines.
void locate(const document::Document& document, std::span<Finding> findings);

}  // namespace sinew::validate
