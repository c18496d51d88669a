// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "document/schema/renumber.hpp"
#include "gltf/schema/tables.hpp"

namespace sinew::gltf {

/// Returns a table with what an extension's object in `holder` refers to, or nullptr if nothing is known of such an object.
[[nodiscard]] const Table* table_of_extension(std::string_view extension, const Table& holder);

[[nodiscard]] const ReferenceScheme& reference_scheme();

}  // namespace sinew::gltf
