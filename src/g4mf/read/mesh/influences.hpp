// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/read/accessors.hpp"

namespace sinew::g4mf {

/// Reads a mesh's `skin` into the influences of its vertices and its group names.
[[nodiscard]] Checked<> read_influences(Reader& reader, Accessors& accessors, JsonValue value, Mesh& mesh);

}  // namespace sinew::g4mf
