// SPDX-License-Identifier: MIT
#pragma once

#include "g4mf/schema/data/reader.hpp"

namespace sinew::g4mf {

/// The local transform of a node: position, and basis or rotor and scale, of lengths that fit the dimension; rotors are normalised.
[[nodiscard]] Checked<LocalTransform> read_transform(Reader& reader, const NodeObject& object);

}  // namespace sinew::g4mf
