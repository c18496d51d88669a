// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "document/schema/orphans.hpp"
#include "gltf/schema/tables.hpp"

namespace sinew::gltf {

/// Returns a table with the indices of an extension's object in `holder`, or nullptr if the extension is unknown.
[[nodiscard]] const Table* table_of_extension(std::string_view extension, const Table& holder);

/// Returns the table for an object. Cameras have two kinds.
[[nodiscard]] const Table& kind_of_object(JsonValue object, const Table& table);

[[nodiscard]] ReferenceScheme reference_scheme();

}  // namespace sinew::gltf
