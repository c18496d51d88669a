// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sinew/array.hpp"

namespace sinew::kernels {

// Scans over all values of a view, for checking a file. Each makes one pass and stops as soon as the result is known.

/// Returns the largest value; 0 if there is none.
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

/// Returns the first row with a value of at least `limit`, or the number of rows.
template <class T>
[[nodiscard]] std::size_t first_at_least(strided_view<const T> view, std::uint64_t limit) {
  static_assert(std::is_unsigned_v<T>);
  for (std::size_t row = 0; row < view.size(); ++row)
    for (std::size_t c = 0; c < view.width(); ++c)
      if (view[row][c] >= limit) return row;
  return view.size();
}

/// Returns the first row that is not above the previous one (width 1; a NaN is above nothing), or the number of rows.
template <class T>
[[nodiscard]] std::size_t first_not_increasing(strided_view<const T> view) {
  for (std::size_t row = 1; row < view.size(); ++row)
    if (!(view[row][0] > view[row - 1][0])) return row;
  return view.size();
}

/// Returns the first row with a NaN or an infinity, or the number of rows.
template <class T>
[[nodiscard]] std::size_t first_not_finite(strided_view<const T> view) {
  static_assert(std::is_floating_point_v<T>);
  if (view.packed()) {
    // 0 · x is 0 for finite x and NaN otherwise, so branch-free sums show whether a block needs a closer look. Several sums, because each
    // addition waits for the previous one.
    constexpr std::size_t lanes = 16;
    T sums[lanes] = {};
    const T* values = view.data();
    const std::size_t count = view.size() * view.width();
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
      for (std::size_t k = 0; k < lanes; ++k) sums[k] += values[i + k] * 0;
    for (; i < count; ++i) sums[0] += values[i] * 0;
    T sum = 0;
    for (const T part : sums) sum += part;
    if (sum == 0) return view.size();
  }
  for (std::size_t row = 0; row < view.size(); ++row)
    for (std::size_t c = 0; c < view.width(); ++c)
      if (!std::isfinite(view[row][c])) return row;
  return view.size();
}

/// Counts triangles (three rows of width 1) that use an index twice.
template <class T>
[[nodiscard]] std::size_t count_degenerate(strided_view<const T> view) {
  static_assert(std::is_unsigned_v<T>);
  std::size_t count = 0;
  const auto degenerate = [](T a, T b, T c) { return static_cast<std::size_t>(a == b || b == c || a == c); };
  if (view.packed()) {
    const T* values = view.data();
    for (std::size_t i = 0; i + 2 < view.size(); i += 3) count += degenerate(values[i], values[i + 1], values[i + 2]);
    return count;
  }
  for (std::size_t i = 0; i + 2 < view.size(); i += 3) count += degenerate(view[i][0], view[i + 1][0], view[i + 2][0]);
  return count;
}

/// Returns whether no rule reports rows [first, last) of a set of influences: every joint is below `joints` and moves a vertex only once,
/// joints without a weight are 0, no weight is negative, and the sum is 1 within `tolerance` per nonzero weight.
template <class Joint>
[[nodiscard]] bool influences_are_plain(strided_view<const Joint> slots, strided_view<const float> weights, std::size_t first,
                                        std::size_t last, std::uint64_t joints, double tolerance) {
  bool plain = true;
  for (std::size_t row = first; row < last; ++row) {
    const Joint* j = slots[row];
    const float* w = weights[row];
    const bool used[4] = {w[0] != 0, w[1] != 0, w[2] != 0, w[3] != 0};
    bool fine = true;
    for (int c = 0; c < 4; ++c) fine &= (j[c] < joints) & (w[c] >= 0) & (used[c] | (j[c] == 0));
    for (int a = 0; a < 3; ++a)
      for (int b = a + 1; b < 4; ++b) fine &= !(used[a] & used[b] & (j[a] == j[b]));
    const float sum = ((w[0] + w[1]) + w[2]) + w[3];
    fine &= std::abs(double{sum} - 1) <= tolerance * (used[0] + used[1] + used[2] + used[3]);
    plain &= fine;
  }
  return plain;
}

}  // namespace sinew::kernels
