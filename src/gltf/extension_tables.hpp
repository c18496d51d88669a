// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "document/object.hpp"

namespace sinew::gltf {

/// The table that knows the indices in an extension's object in a holder; nullptr: they are not known. Of STAIK_skeletons it knows those
/// of accessors only.
[[nodiscard]] const document::Table* extension_table(std::string_view extension, const document::Table& holder);

}  // namespace sinew::gltf
