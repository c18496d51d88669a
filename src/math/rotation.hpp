// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace sinew::detail {

/// The weights of both ends of an arc, `t` of the way from the first to the second.
struct ArcParts {
  double from, to;
};

/// Computes sin(s·θ)/sin θ for s = 1−t and t, with the first terms of the series in cos θ − 1: no arc cosine, and no loss of precision near
/// 1. (D. Eberly, A Fast and Accurate Algorithm for Computing SLERP, 2011.)
template <std::size_t terms>
ArcParts arc_series(double cosine, double t) {
  static constexpr auto factors = [] {
    std::array<std::array<double, 2>, terms> list{};
    for (std::size_t i = 0; i < terms; ++i) {
      const double k = static_cast<double>(i + 1);
      list[i] = {1 / (k * (2 * k + 1)), k / (2 * k + 1)};
    }
    return list;
  }();
  const double s[2] = {1 - t, t}, x = cosine - 1;
  double sum[2] = {1, 1};
  for (std::size_t i = terms; i-- > 0;)
    for (std::size_t e = 0; e < 2; ++e) sum[e] = 1 + (factors[i][0] * s[e] * s[e] - factors[i][1]) * x * sum[e];
  return {s[0] * sum[0], s[1] * sum[1]};
}

/// Does the same for 0 ≤ cos θ ≤ 1, to rounding: omitted terms are below 2⁻⁵³.
inline ArcParts arc_parts(double cosine, double t) {
  if (cosine > 0.99) return arc_series<6>(cosine, t);
  if (cosine > 0.9) return arc_series<12>(cosine, t);
  const double angle = std::acos(cosine), sine = std::sin(angle);
  return {std::sin(angle * (1 - t)) / sine, std::sin(angle * t) / sine};
}

/// The slerp of geometry.hpp for any number type.
template <class T>
void slerp(std::size_t size, const T* a, const T* b, double t, double* out) {
  double dot = 0;
  for (std::size_t i = 0; i < size; ++i) dot += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  const ArcParts parts = arc_parts(std::fmin(std::abs(dot), 1.0), t);
  const double to = dot < 0 ? -parts.to : parts.to;
  for (std::size_t i = 0; i < size; ++i) out[i] = parts.from * static_cast<double>(a[i]) + to * static_cast<double>(b[i]);
}

/// Computes the matrix of a three-dimensional rotor as stored, with the formula of glTF; columns are `stride` apart.
inline void matrix_of_rotor_3d(const double* rotor, std::size_t stride, double* out) {
  const double w = rotor[0], z = rotor[1], y = -rotor[2], x = rotor[3];
  const double columns[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                                {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                                {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 3; ++i) out[j * stride + i] = columns[j][i];
}

}  // namespace sinew::detail
