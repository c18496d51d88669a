// SPDX-License-Identifier: MIT
#pragma once

#include "base/catalogue.hpp"

namespace sinew {

/// The codes of glTF's rules.
template <>
struct Rows<Part::gltf> {
  static constexpr auto list = std::to_array<CatalogueRow>({
#define SINEW_FINDING SINEW_CATALOGUE_ROW
#include "base/catalogue/gltf.inc"
#undef SINEW_FINDING
  });
};

namespace gltf {

/// Hides the operator of namespace sinew: searches the codes of the format, then the common ones.
consteval Code operator""_code(const char* text, std::size_t length) { return code_of<Part::gltf, Part::common>({text, length}); }

}  // namespace gltf

}  // namespace sinew
