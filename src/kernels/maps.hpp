// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "math/dimension.hpp"

#include "sinew/geometry.hpp"

namespace sinew::kernels {

// The layout of tables of affine maps: N+1 columns (linear part, then translation), each padded with zeros to whole SIMD lanes, each map
// padded to whole cache lines of floats. A map in 3D is 4 columns of 4 numbers: as floats, one 64-byte line.

/// Returns the distance of columns in numbers: 1, 2, 4, 4, then multiples of 4.
[[nodiscard]] constexpr std::size_t column_stride(std::size_t dimension) { return dimension <= 2 ? dimension : (dimension + 3) / 4 * 4; }
/// Returns the numbers of a map's columns.
[[nodiscard]] constexpr std::size_t map_size(std::size_t dimension) { return (dimension + 1) * column_stride(dimension); }
/// Returns the distance of maps in numbers: whole lines of 16.
[[nodiscard]] constexpr std::size_t map_stride(std::size_t dimension) { return (map_size(dimension) + 15) / 16 * 16; }

/// Convert a map to this layout and back.
inline void store(const Affine& map, double* out) {
  const std::size_t n = map.dimension();
  for (std::size_t j = 0; j <= n; ++j)
    for (std::size_t i = 0; i < column_stride(n); ++i) out[j * column_stride(n) + i] = i < n ? map(i, j) : 0;
}
[[nodiscard]] inline Affine affine_at(std::size_t n, const double* columns) {
  Affine map(n);
  for (std::size_t j = 0; j <= n; ++j)
    for (std::size_t i = 0; i < n; ++i) map(i, j) = columns[j * column_stride(n) + i];
  return map;
}

/// Computes out = a·b of such maps: first b, then a. `out` may be `b`. Sums have the order of the columns of `a`, as in Affine's product.
template <class D>
void multiply(D n, const double* a, const double* b, double* out) {
  constexpr std::size_t room = column_stride(capacity_of<D>);
  const std::size_t stride = column_stride(n);
  for (std::size_t j = 0; j <= n; ++j) {
    std::array<double, room> column{};
    for (std::size_t i = 0; j == n && i < stride; ++i) column[i] = a[n * stride + i];
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < stride; ++i) column[i] += a[k * stride + i] * b[j * stride + k];
    for (std::size_t i = 0; i < stride; ++i) out[j * stride + i] = column[i];
  }
}

}  // namespace sinew::kernels
