// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "math/cofactor.hpp"

namespace sinew {

/// Computes the vector perpendicular to N−1 packed vectors: the last column of the cofactor matrix of which they are the other columns. The
/// 4D formula is written out.
template <class T, class D>
void perpendicular(D n, const T* vectors, T* out) {
  if (n == 4) {
    const T *a = vectors, *b = vectors + 4, *c = vectors + 8;
    const auto minor = [&](std::size_t i, std::size_t j) { return b[i] * c[j] - b[j] * c[i]; };
    const T xy = minor(0, 1), xz = minor(0, 2), yz = minor(1, 2), xw = minor(0, 3), yw = minor(1, 3), zw = minor(2, 3);
    out[0] = -a[1] * zw + a[2] * yw - a[3] * yz;
    out[1] = a[0] * zw - a[2] * xw + a[3] * xz;
    out[2] = -a[0] * yw + a[1] * xw - a[3] * xy;
    out[3] = a[0] * yz - a[1] * xz + a[2] * xy;
    return;
  }
  constexpr std::size_t capacity = capacity_of<D>;
  std::array<T, capacity * capacity> columns{}, cofactors;
  for (std::size_t i = 0; i < (n - 1) * n; ++i) columns[i] = vectors[i];
  cofactor(n, columns.data(), n, cofactors.data());
  for (std::size_t i = 0; i < n; ++i) out[i] = cofactors[(n - 1) * n + i];
}

/// Computes the unit perpendicular of a simplex's N−1 sides. Returns false, and zeros, if the sides are dependent up to rounding: the
/// result is tiny compared with Hadamard's bound, the product of their lengths. Scales `sides`, so that products of N−1 small numbers do
/// not underflow.
template <class D>
bool unit_perpendicular(D n, double* sides, double* out) {
  std::fill_n(out, std::size_t{n}, 0.0);
  double bound = 1;
  for (std::size_t k = 0; k + 1 < n; ++k) {
    double* side = sides + k * n;
    double largest = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(side[i]));
    if (!(largest > 0) || !std::isfinite(largest)) return false;
    for (std::size_t i = 0; i < n; ++i) side[i] /= largest, squares += side[i] * side[i];
    bound *= std::sqrt(squares);
  }
  std::array<double, capacity_of<D>> normal;
  perpendicular(n, static_cast<const double*>(sides), normal.data());
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) squares += normal[i] * normal[i];
  const double length = std::sqrt(squares);
  if (!(length > 1e-13 * bound)) return false;
  for (std::size_t i = 0; i < n; ++i) out[i] = normal[i] / length;
  return true;
}

}  // namespace sinew
