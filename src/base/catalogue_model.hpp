// SPDX-License-Identifier: MIT
#pragma once

#include "base/catalogue.hpp"

namespace sinew {

template <>
struct Rows<Part::model> {
  static constexpr auto list = std::to_array<CatalogueRow>({
#define SINEW_FINDING SINEW_CATALOGUE_ROW
#include "base/catalogue/model.inc"
#undef SINEW_FINDING
  });
};

namespace validate {

/// Hides the operator of namespace sinew: searches the rules of any model, then the common ones.
consteval Code operator""_code(const char* text, std::size_t length) { return code_of<Part::model, Part::common>({text, length}); }

}  // namespace validate

}  // namespace sinew
