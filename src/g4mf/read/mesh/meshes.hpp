// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "g4mf/read/accessors.hpp"

namespace sinew::g4mf {

/// Reads the meshes into the model. Materials have been read.
void read_meshes(Reader& reader, Accessors& accessors);

/// The first `count` rows.
[[nodiscard]] Array first_rows(const Array& array, std::size_t count);
/// Rows cut or filled with zeros to `width`.
[[nodiscard]] Checked<Array> with_width(Reader& reader, JsonValue at, const Array& array, std::size_t width);
/// The rows with these numbers.
[[nodiscard]] Checked<Array> gather_rows(Reader& reader, JsonValue at, const Array& array, std::span<const std::uint32_t> rows);

}  // namespace sinew::g4mf
