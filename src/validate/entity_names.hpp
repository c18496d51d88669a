// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/document.hpp"
#include "sinew/validate.hpp"

namespace sinew::validate {

/// Adds the names of the objects in lists of the root, as /meshes/3, that findings lead into.
void add_names(const document::Document& document, std::span<const Finding> findings, Names& names);

}  // namespace sinew::validate
