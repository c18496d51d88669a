// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read/accessors.hpp"

namespace sinew::gltf {

/// The rules about what an accessor says of itself and about its place in its views, by what those say of themselves: whether their
/// data can be had does not matter. Gives whether it lies in its view as it should: aligned, inside, elements apart.
[[nodiscard]] bool check_accessor(Reading& reading, const Buffers& buffers, const AccessorObject& object);

/// The rules about the rows that a sparse accessor replaces.
void check_sparse_indices(Reading& reading, const AccessorFormat& format, const Array& rows);

/// Holds values against the accessor's `min` and `max`; floats have to be finite.
void check_values(Reading& reading, JsonValue accessor, const Array& values);

}  // namespace sinew::gltf
