// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "operations/lift/sheet.hpp"

namespace sinew::operations {

/// The boundary of sheet × disc, in simplexes of N + 1 corners: sheet × circle, and border × disc. Neighbours agree, because the simplexes
/// of a product follow from the order of its points alone.
struct Product {
  static constexpr std::uint32_t centre = 0xffffffff;

  /// A point of the product: a point of the sheet, and one of its ring, or its own place.
  struct Point {
    std::uint32_t point = 0;
    std::uint32_t ring = centre;
  };
  std::vector<Point> points;
  std::vector<std::uint32_t> simplexes;  ///< points of the product, N + 1 each
  std::vector<std::uint32_t> corner;     ///< by corner: the corner of the surface below it
  std::vector<std::uint32_t> surface;    ///< by simplex
  std::vector<bool> cap;                 ///< by simplex: it closes a border
};

/// Returns how many simplexes and points the product has.
struct ProductSize {
  std::uint64_t simplexes = 0, points = 0;
};
[[nodiscard]] ProductSize size_of_product(const Sheet& sheet, std::size_t rings);

/// Precondition: at least three points in a ring, and size_of_product within 32 bits.
[[nodiscard]] Product product_of(const Sheet& sheet, std::size_t rings);

}  // namespace sinew::operations
