// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sinew/array.hpp"

namespace sinew::kernels {

/// Computes the smallest and the largest value of each component. A NaN in the first row stays; other NaNs are ignored. Returns whether all
/// values are finite. Precondition: there is a row.
template <class T>
bool bounds(strided_view<const T> view, T* smallest, T* largest) {
  const std::size_t width = view.width();
  std::copy_n(view[0], width, smallest);
  std::copy_n(view[0], width, largest);
  const auto add = [](T value, T& low, T& high, T& sum) {
    low = value < low ? value : low;
    high = value > high ? value : high;
    sum = static_cast<T>(sum + value * 0);  // 0 · x is 0 for finite x and NaN otherwise
  };
  T sum = 0;
  std::size_t row = 0;
  // Several rows at once, because each operation waits for the one before it. Too expensive for few rows.
  constexpr std::size_t lanes = 48;
  if (view.packed() && lanes % width == 0 && view.size() > 4 * lanes) {
    T low[lanes], high[lanes], sums[lanes] = {};
    for (std::size_t k = 0; k < lanes; ++k) low[k] = high[k] = view[0][k % width];
    const T* values = view.data();
    const std::size_t rows = lanes / width;
    for (; row + rows <= view.size(); row += rows, values += lanes)
      for (std::size_t k = 0; k < lanes; ++k) {
        const T value = values[k];
        low[k] = value < low[k] ? value : low[k];
        high[k] = value > high[k] ? value : high[k];
        sums[k] = static_cast<T>(sums[k] + value * 0);
      }
    for (std::size_t k = 0; k < lanes; ++k) {
      add(low[k], smallest[k % width], largest[k % width], sum);
      add(high[k], smallest[k % width], largest[k % width], sum);
      sum = static_cast<T>(sum + sums[k]);
    }
  }
  for (; row < view.size(); ++row)
    for (std::size_t c = 0; c < width; ++c) add(view[row][c], smallest[c], largest[c], sum);
  return sum == 0;
}

/// Counts rows whose component `c` is below (`least`) or above the limit.
template <class T>
[[nodiscard]] std::size_t count_outside(strided_view<const T> view, std::size_t c, T limit, bool least) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < view.size(); ++row) count += least ? view[row][c] < limit : view[row][c] > limit;
  return count;
}

// Compiled in scan.cpp, in full.
extern template bool bounds(strided_view<const std::int8_t>, std::int8_t*, std::int8_t*);
extern template bool bounds(strided_view<const std::uint8_t>, std::uint8_t*, std::uint8_t*);
extern template bool bounds(strided_view<const std::int16_t>, std::int16_t*, std::int16_t*);
extern template bool bounds(strided_view<const std::uint16_t>, std::uint16_t*, std::uint16_t*);
extern template bool bounds(strided_view<const std::uint32_t>, std::uint32_t*, std::uint32_t*);
extern template bool bounds(strided_view<const float>, float*, float*);

}  // namespace sinew::kernels
