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

/// Returns the first row that is below the previous one (width 1), or the number of rows.
template <class T>
[[nodiscard]] std::size_t first_decreasing(strided_view<const T> view) {
  for (std::size_t row = 1; row < view.size(); ++row)
    if (view[row][0] < view[row - 1][0]) return row;
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
                                        std::size_t last, std::uint64_t joints, float tolerance) {
  static_assert(sizeof(Joint) < sizeof(std::int32_t));
  const auto limit = static_cast<std::int32_t>(std::min(joints, std::uint64_t{1} << 16));
  // Without branches and with integers as wide as the floats, so that the compiler handles several vertices at once if they are packed.
  const auto run = [&](auto slots_of, auto weights_of) {
    std::int32_t wrong = 0;
    for (std::size_t row = first; row < last; ++row) {
      const Joint* slot = slots_of(row);
      const float* weight = weights_of(row);
      const std::int32_t a = slot[0], b = slot[1], c = slot[2], d = slot[3];
      const float p = weight[0], q = weight[1], r = weight[2], s = weight[3];
      const std::int32_t use_a = p != 0, use_b = q != 0, use_c = r != 0, use_d = s != 0;
      wrong |= (a >= limit) | (b >= limit) | (c >= limit) | (d >= limit) | !(p >= 0) | !(q >= 0) | !(r >= 0) | !(s >= 0);
      wrong |= (!use_a & (a != 0)) | (!use_b & (b != 0)) | (!use_c & (c != 0)) | (!use_d & (d != 0));
      wrong |= (use_a & use_b & (a == b)) | (use_a & use_c & (a == c)) | (use_a & use_d & (a == d)) | (use_b & use_c & (b == c)) |
               (use_b & use_d & (b == d)) | (use_c & use_d & (c == d));
      // Exact near 1.
      wrong |= !(std::abs(((p + q) + r) + s - 1) <= tolerance * static_cast<float>(use_a + use_b + use_c + use_d));
    }
    return wrong == 0;
  };
  if (!slots.packed() || !weights.packed())
    return run([&](std::size_t row) { return slots[row]; }, [&](std::size_t row) { return weights[row]; });
  return run([from = slots.data()](std::size_t row) { return from + 4 * row; },
             [from = weights.data()](std::size_t row) { return from + 4 * row; });
}

/// The test of a vector's length by its square: squares well inside the tolerance need no root.
struct UnitTest {
  double tolerance, least, most;
  explicit constexpr UnitTest(double allowed)
      : tolerance(allowed), least((1 - allowed) * (1 - allowed) + 1e-9), most((1 + allowed) * (1 + allowed) - 1e-9) {}
  [[nodiscard]] bool passes(double square) const {
    return (square > least && square < most) || !(std::abs(std::sqrt(square) - 1) > tolerance);
  }
};

template <std::size_t count, class T>
[[nodiscard]] double square_of(const T* values) {
  double square = 0;
  for (std::size_t c = 0; c < count; ++c) square += double{values[c]} * values[c];
  return square;
}

/// Returns whether the first `count` components of every row make a vector that passes.
template <std::size_t count, class T>
[[nodiscard]] bool are_unit(const UnitTest& unit, strided_view<const T> rows) {
  bool all = true;
  for (std::size_t i = 0; i < rows.size(); ++i) all &= unit.passes(square_of<count>(rows[i]));
  return all;
}

// Those that walk over all vertices are compiled in scan.cpp, in full: what calls them need not be.
extern template std::uint8_t largest(strided_view<const std::uint8_t>);
extern template std::uint16_t largest(strided_view<const std::uint16_t>);
extern template std::uint32_t largest(strided_view<const std::uint32_t>);
extern template std::size_t first_not_finite(strided_view<const float>);
extern template std::size_t first_not_finite(strided_view<const double>);
extern template std::size_t count_degenerate(strided_view<const std::uint8_t>);
extern template std::size_t count_degenerate(strided_view<const std::uint16_t>);
extern template std::size_t count_degenerate(strided_view<const std::uint32_t>);
extern template bool influences_are_plain(strided_view<const std::uint8_t>, strided_view<const float>, std::size_t, std::size_t,
                                          std::uint64_t, float);
extern template bool influences_are_plain(strided_view<const std::uint16_t>, strided_view<const float>, std::size_t, std::size_t,
                                          std::uint64_t, float);
extern template bool are_unit<3>(const UnitTest&, strided_view<const float>);
extern template bool are_unit<3>(const UnitTest&, strided_view<const double>);
extern template bool are_unit<4>(const UnitTest&, strided_view<const float>);
extern template bool are_unit<4>(const UnitTest&, strided_view<const double>);

}  // namespace sinew::kernels
