// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>

#include "g4mf/schema/source.hpp"

#include "sinew/model.hpp"

namespace sinew::g4mf {

/// io::appearance of a material of G4MF: factor and texture, of two or three dimensions, of its base colour; both sides are seen.
[[nodiscard]] Appearance read_appearance(const Source& source, SourceId material, std::optional<Error>& note);

/// The element of a list that an index names; missing if there is none.
[[nodiscard]] document::JsonValue element(document::JsonValue list, document::JsonValue index);

/// The file of a texture that Sinew draws: the first one that is PNG, JPEG or WebP; missing if there is none.
[[nodiscard]] document::JsonValue image_of(document::JsonValue root, document::JsonValue texture);
/// The content of a file that a document refers to.
[[nodiscard]] Result<document::Bytes> file_bytes(const document::Document& document, document::JsonValue file);

/// The first numbers of a list, and what stands for missing ones.
template <std::size_t N>
[[nodiscard]] std::array<double, N> first_numbers(document::JsonValue list, std::array<double, N> missing) {
  std::size_t i = 0;
  for (const document::JsonValue value : list.elements()) {
    if (i == N) break;
    if (const auto number = value.number()) missing[i] = *number;
    ++i;
  }
  return missing;
}

}  // namespace sinew::g4mf
