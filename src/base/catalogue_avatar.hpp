// SPDX-License-Identifier: MIT
#pragma once

#include "base/catalogue.hpp"

namespace sinew {

/// The codes of the rules about avatars: VRM 0.x, VRM 1.0, VRM Animation, KHR_character.
template <>
struct Rows<Part::avatar> {
  static constexpr auto list = std::to_array<CatalogueRow>({
#define SINEW_FINDING SINEW_CATALOGUE_ROW
#include "base/catalogue/avatar.inc"
#undef SINEW_FINDING
  });
};

namespace avatars {

consteval NamedCode operator""_code(const char* text, std::size_t length) { return code_of<Part::avatar>({text, length}); }

}  // namespace avatars

}  // namespace sinew
