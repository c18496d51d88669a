// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "document/schema/orphans.hpp"
#include "gltf/schema/tables.hpp"

namespace sinew::gltf {

/// Returns a table with the indices of an extension's object in `holder`, or nullptr if the extension is unknown.
[[nodiscard]] const row::Table* table_of_extension(std::string_view extension, const row::Table& holder);

/// Returns the table for an object. Cameras have two kinds.
[[nodiscard]] const row::Table& kind_of_object(document::JsonValue object, const row::Table& table);

[[nodiscard]] document::ReferenceScheme reference_scheme();

}  // namespace sinew::gltf
