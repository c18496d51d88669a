// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>

namespace sinew::operations {

/// Bounds for a vector or matrix that changes while a parameter goes from 0 to 1: for its norm and for the norms of its first and second
/// derivative. A path with jumps is within `jump` of a path with these bounds. A second derivative may be unbounded (infinite).
///
/// The path f then stays within deviation() of the straight line from f(0) to f(1): a function with |f″| ≤ s is within s/8 of its chord,
/// one with |f′| ≤ d within d/2, and two values of norm ≤ a are at most 2a apart.
struct Growth {
  double at = 0, first = 0, second = 0, jump = 0;

  [[nodiscard]] double deviation() const { return std::min({second / 8, first / 2, 2 * at}) + 2 * jump; }
  /// Returns the bounds of a path of which only the norm is known.
  [[nodiscard]] static Growth any(double at) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return {at, infinite, infinite, 0};
  }
};

namespace detail {
/// Multiplies two bounds; 0 times infinity is 0.
[[nodiscard]] inline double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }
}  // namespace detail

/// Bounds a product: |AB| ≤ |A|·|B|, and Leibniz' rule.
[[nodiscard]] inline Growth operator*(const Growth& a, const Growth& b) {
  using detail::times;
  return {times(a.at, b.at), times(a.first, b.at) + times(a.at, b.first),
          times(a.second, b.at) + 2 * times(a.first, b.first) + times(a.at, b.second),
          times(a.jump, b.at) + times(a.at, b.jump) + times(a.jump, b.jump)};
}

[[nodiscard]] inline Growth operator+(const Growth& a, const Growth& b) {
  return {a.at + b.at, a.first + b.first, a.second + b.second, a.jump + b.jump};
}

/// Bounds of an affine map: its linear part in the spectral norm, its translation in the Euclidean norm.
struct MapGrowth {
  Growth linear{1, 0, 0, 0};
  Growth translation;

  friend MapGrowth operator*(const MapGrowth& a, const MapGrowth& b) {
    return {a.linear * b.linear, a.linear * b.translation + a.translation};
  }
};

}  // namespace sinew::operations
