// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace sinew::operations::weights {

/// A point or a direction in three dimensions.
using Vec = std::array<double, 3>;
/// The corners of a triangle.
using Triangle = std::array<std::uint32_t, 3>;

[[nodiscard]] inline Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
[[nodiscard]] inline Vec operator-(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
[[nodiscard]] inline Vec operator*(double s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
[[nodiscard]] inline double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
[[nodiscard]] inline Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// Rounds what a function of the standard library returned (sine, arc tangent, cube root, …) to single precision. Libraries differ in the
/// last digits of such a result; decisions at limits, and so the clothes, must not.
[[nodiscard]] inline double same_everywhere(double x) { return static_cast<double>(static_cast<float>(x)); }
[[nodiscard]] inline double norm(const Vec& a) { return std::sqrt(dot(a, a)); }
/// Returns the nearest point of a segment; `a` if it has no length.
[[nodiscard]] inline Vec nearest_on_segment(const Vec& point, const Vec& a, const Vec& b) {
  const Vec side = b - a;
  const double length = dot(side, side);
  return a + (length > 0 ? std::clamp(dot(point - a, side) / length, 0.0, 1.0) : 0.0) * side;
}

}  // namespace sinew::operations::weights
