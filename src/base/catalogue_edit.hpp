// SPDX-License-Identifier: MIT
#pragma once

#include "base/catalogue.hpp"

namespace sinew {

template <>
struct Rows<Part::edit> {
  static constexpr auto list = std::to_array<CatalogueRow>({
#define SINEW_FINDING SINEW_CATALOGUE_ROW
#include "base/catalogue/edit.inc"
#undef SINEW_FINDING
  });
};

namespace operations {

/// Hides the operator of namespace sinew: searches the codes of operations, then the common ones.
consteval Code operator""_code(const char* text, std::size_t length) {
  return code_of<sinew::Part::edit, sinew::Part::common>({text, length});
}

}  // namespace operations

}  // namespace sinew
