// SPDX-License-Identifier: MIT
#pragma once

#include "base/catalogue.hpp"

namespace sinew {

/// The codes of G4MF's rules.
template <>
struct Rows<Part::g4mf> {
  static constexpr auto list = std::to_array<CatalogueRow>({
#define SINEW_FINDING SINEW_CATALOGUE_ROW
#include "base/catalogue/g4mf.inc"
#undef SINEW_FINDING
  });
};

namespace g4mf {

/// Hides the operator of namespace sinew: searches the codes of the format, then the common ones.
consteval Code operator""_code(const char* text, std::size_t length) { return code_of<Part::g4mf, Part::common>({text, length}); }

}  // namespace g4mf

}  // namespace sinew
