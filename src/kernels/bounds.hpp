// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "sinew/array.hpp"

namespace sinew::kernels {

/// Computes the smallest and the largest value of each component. A NaN in the first row stays; other NaNs are ignored. Precondition: there
/// is a row.
template <class T>
void bounds(strided_view<const T> view, T* smallest, T* largest) {
  const auto run = [&](auto fixed) {
    const std::size_t width = fixed == 0 ? view.width() : fixed;
    for (std::size_t c = 0; c < width; ++c) smallest[c] = largest[c] = view[0][c];
    for (std::size_t row = 1; row < view.size(); ++row) {
      const T* values = view[row];
      for (std::size_t c = 0; c < width; ++c) {
        smallest[c] = values[c] < smallest[c] ? values[c] : smallest[c];
        largest[c] = values[c] > largest[c] ? values[c] : largest[c];
      }
    }
  };
  switch (view.width()) {
    case 1:
      return run(std::integral_constant<std::size_t, 1>{});
    case 3:
      return run(std::integral_constant<std::size_t, 3>{});
    default:
      return run(std::integral_constant<std::size_t, 0>{});
  }
}

/// Counts rows whose component `c` is below (`least`) or above the limit.
template <class T>
[[nodiscard]] std::size_t count_outside(strided_view<const T> view, std::size_t c, T limit, bool least) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < view.size(); ++row) count += least ? view[row][c] < limit : view[row][c] > limit;
  return count;
}

}  // namespace sinew::kernels
