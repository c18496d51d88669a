// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/document.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Reports, for glTF, how many bytes of replaced arrays stay in `after` inside views that other arrays still use, as a hint.
void report_left_behind(const document::Document& before, const document::Document& after, FindingSink& changes);

}  // namespace sinew::operations
