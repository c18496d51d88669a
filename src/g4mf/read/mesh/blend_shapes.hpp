// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/read/mesh/surfaces.hpp"

namespace sinew::g4mf {

/// Reads the blend shapes of a mesh whose vertices and surfaces have been read.
[[nodiscard]] Checked<> read_blend(Reader& reader, Accessors& accessors, JsonValue value, const MeshParts& parts, Mesh& mesh);

/// Amounts, one per shape. Another number of them is a defect (arguments of the code: how many, how many shapes), unless the reading is
/// forced; missing ones stay as they are, and a surplus is left out.
[[nodiscard]] Checked<> read_amounts(Reader& reader, JsonValue list, Code wrong_length, std::span<double> amounts);

}  // namespace sinew::g4mf
