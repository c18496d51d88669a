// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "document/schema/orphans.hpp"
#include "gltf/schema/tables.hpp"

namespace sinew::gltf {

/// The table of an extension's object in an object of `holder`, as far as indices go; nullptr where it is not known.
[[nodiscard]] const row::Table* table_of_extension(std::string_view extension, const row::Table& holder);

/// The table that describes an object: cameras have two kinds.
[[nodiscard]] const row::Table& kind_of_object(document::JsonValue object, const row::Table& table);

/// How glTF's objects refer to each other.
[[nodiscard]] document::ReferenceScheme reference_scheme();

}  // namespace sinew::gltf
