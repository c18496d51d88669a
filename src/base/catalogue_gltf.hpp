// SPDX-License-Identifier: MIT
#pragma once

#include "base/catalogue.hpp"

namespace sinew {

/// The codes of glTF's rules.
template <>
struct Rows<Part::gltf> {
  static constexpr auto list = std::to_array<CatalogueRow>({
#include "base/catalogue/gltf.inc"
  });
};

namespace gltf {

/// Hides sinew's own in this namespace: the format's codes, then the common ones.
consteval Code operator""_code(const char* text, std::size_t length) { return code_of<Part::gltf, Part::common>({text, length}); }

}  // namespace gltf

}  // namespace sinew
