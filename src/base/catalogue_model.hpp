// SPDX-License-Identifier: MIT
#pragma once

#include "base/catalogue.hpp"

namespace sinew {

/// The part after those of the formats: rules that hold for any model.
inline constexpr Part model_part{3};
template <>
struct Rows<model_part> {
  static constexpr auto list = std::to_array<CatalogueRow>({
#include "base/catalogue/model.inc"
  });
};

namespace validate {

/// Hides sinew's own in this namespace: the rules of any model, then the common ones.
consteval Code operator""_code(const char* text, std::size_t length) { return code_of<model_part, Part::common>({text, length}); }

}  // namespace validate

}  // namespace sinew
