// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "math/dimension.hpp"

namespace sinew::detail {

/// Calls `function` with the dimension of a map: as a compile-time constant for 2 to 5, else as a number. Maps may have any dimension,
/// while with_dimension takes up to 16.
template <class Function>
decltype(auto) with_map_dimension(std::size_t dimension, Function&& function) {
  return dimension <= 5 ? with_dimension(dimension, function) : function(dimension);
}

/// Computes out = a·b of maps as N+1 columns of N numbers: first b, then a. The columns of `out` are `stride` numbers apart, those of the
/// others N. `out` is neither of them. Every sum starts with the translation or 0 and has the order of the columns of `a`.
template <class D>
void multiply_columns(D n, const double* a, const double* b, double* out, std::size_t stride) {
  if constexpr (std::is_same_v<D, FixedDimension<3>>) {  // four numbers at a time
    std::array<std::array<double, 4>, 4> columns;
    for (std::size_t j = 0; j < 4; ++j) columns[j] = {a[3 * j], a[3 * j + 1], a[3 * j + 2], 0};
    for (std::size_t j = 0; j < 4; ++j) {
      std::array<double, 4> sum{};
      if (j == 3) sum = columns[3];
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < 4; ++i) sum[i] += columns[k][i] * b[3 * j + k];
      for (std::size_t i = 0; i < 3; ++i) out[j * stride + i] = sum[i];
    }
  } else {
    for (std::size_t j = 0; j <= n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        double value = j == n ? a[n * n + i] : 0;
        for (std::size_t k = 0; k < n; ++k) value += a[k * n + i] * b[j * n + k];
        out[j * stride + i] = value;
      }
  }
}

}  // namespace sinew::detail
