// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/read/surfaces.hpp"

namespace sinew::g4mf {

/// Reads the blend shapes of a mesh whose vertices and surfaces have been read.
[[nodiscard]] Checked<> read_blend(Reading& reading, Accessors& accessors, JsonValue value, const MeshParts& parts, Mesh& mesh);

}  // namespace sinew::g4mf
