// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/schema/data/reader.hpp"

namespace sinew::g4mf {

/// Reads the local transform of a node: position, and basis or rotor and scale. Lengths fit the dimension. Normalises rotors.
[[nodiscard]] Checked<LocalTransform> read_transform(Reader& reader, const NodeObject& object);

}  // namespace sinew::g4mf
