// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sinew/array.hpp"

namespace sinew::kernels {

// Scans over all values of a view, used when a file is checked. Each passes over the data once and stops as early as its answer allows.

/// The largest value; 0 where there is none.
template <class T>
[[nodiscard]] T largest(strided_view<const T> view) {
  static_assert(std::is_unsigned_v<T>);
  T most = 0;
  if (view.packed()) {
    const T* values = view.data();
    for (std::size_t i = 0, count = view.size() * view.width(); i < count; ++i) most = std::max(most, values[i]);
    return most;
  }
  for (std::size_t row = 0; row < view.size(); ++row)
    for (std::size_t c = 0; c < view.width(); ++c) most = std::max(most, view[row][c]);
  return most;
}

/// The first row with a value of at least `limit`; the number of rows where there is none.
template <class T>
[[nodiscard]] std::size_t first_at_least(strided_view<const T> view, std::uint64_t limit) {
  static_assert(std::is_unsigned_v<T>);
  for (std::size_t row = 0; row < view.size(); ++row)
    for (std::size_t c = 0; c < view.width(); ++c)
      if (view[row][c] >= limit) return row;
  return view.size();
}

/// The first row that is not above the one before (width 1; a NaN is above nothing); the number of rows where all are.
template <class T>
[[nodiscard]] std::size_t first_not_increasing(strided_view<const T> view) {
  for (std::size_t row = 1; row < view.size(); ++row)
    if (!(view[row][0] > view[row - 1][0])) return row;
  return view.size();
}

/// The first row with a NaN or an infinity; the number of rows where there is none.
template <class T>
[[nodiscard]] std::size_t first_not_finite(strided_view<const T> view) {
  static_assert(std::is_floating_point_v<T>);
  if (view.packed()) {
    // 0 · x is 0 for finite x and NaN otherwise: a sum without branches tells whether to look closer.
    T sum = 0;
    const T* values = view.data();
    for (std::size_t i = 0, count = view.size() * view.width(); i < count; ++i) sum += values[i] * 0;
    if (sum == 0) return view.size();
  }
  for (std::size_t row = 0; row < view.size(); ++row)
    for (std::size_t c = 0; c < view.width(); ++c)
      if (!std::isfinite(view[row][c])) return row;
  return view.size();
}

}  // namespace sinew::kernels
