// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::validate {

/// Sets the position of each finding with a pointer and without a position: that of its value or, if the value does not exist, of the
/// nearest existing parent. Takes one walk over the values for all pointers, and one pass over the text for all lines.
void locate(const document::Document& document, std::span<Finding> findings);

}  // namespace sinew::validate
