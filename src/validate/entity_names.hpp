// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "sinew/document.hpp"
#include "sinew/validate.hpp"

namespace sinew::validate {

/// Adds the names of objects with findings, by pointers such as /meshes/3.
void add_names(const document::Document& document, std::span<const Finding> findings, Names& names);

}  // namespace sinew::validate
