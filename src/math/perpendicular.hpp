// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "math/cofactor.hpp"

namespace sinew {

namespace detail {

/// The general case, from P·V·Q = L·U, where V has the vectors as its columns. The last row of L⁻¹ is perpendicular to all of them, and the
/// product of the pivots scales it. Zeros if they are dependent.
template <class T, class D>
void perpendicular_by_elimination(D n, const T* vectors, T* out) {
  const std::size_t last = n - 1;
  PivotedLu<T, D> lu;
  std::fill_n(out, std::size_t{n}, T{0});
  if (!lu.run(n, last, vectors, n)) return;
  out[lu.row[last]] = lu.sign * lu.scale;
  for (std::size_t j = last; j-- > 0;)
    for (std::size_t i = j + 1; i < n; ++i) out[lu.row[j]] -= lu.at(i, j) * out[lu.row[i]];
}

/// Five dimensions: each 4×4 minor by Laplace's expansion along two pairs of vectors.
template <class T>
void perpendicular_5d(const T* vectors, T* out) {
  const T *a = vectors, *b = vectors + 5, *c = vectors + 10, *d = vectors + 15;
  std::array<std::array<T, 5>, 5> ab{}, cd{};
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = i + 1; j < 5; ++j) {
      ab[i][j] = a[i] * b[j] - a[j] * b[i];
      cd[i][j] = c[i] * d[j] - c[j] * d[i];
    }
  const auto minor = [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    return ab[i][j] * cd[k][l] - ab[i][k] * cd[j][l] + ab[i][l] * cd[j][k] + ab[j][k] * cd[i][l] - ab[j][l] * cd[i][k] +
           ab[k][l] * cd[i][j];
  };
  out[0] = minor(1, 2, 3, 4);
  out[1] = -minor(0, 2, 3, 4);
  out[2] = minor(0, 1, 3, 4);
  out[3] = -minor(0, 1, 2, 4);
  out[4] = minor(0, 1, 2, 3);
}

}  // namespace detail

/// Computes the vector perpendicular to N−1 packed vectors: the last column of the cofactor matrix of which they are the other columns.
template <class T, class D>
void perpendicular(D n, const T* vectors, T* out) {
  if (n == 1) {  // no vectors, perhaps no pointer
    out[0] = 1;
    return;
  }
  const T *a = vectors, *b = vectors + n;
  if (n == 2) {
    out[0] = -a[1], out[1] = a[0];
  } else if (n == 3) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
  } else if (n == 4) {
    const T* c = vectors + 8;
    const auto minor = [&](std::size_t i, std::size_t j) { return b[i] * c[j] - b[j] * c[i]; };
    const T xy = minor(0, 1), xz = minor(0, 2), yz = minor(1, 2), xw = minor(0, 3), yw = minor(1, 3), zw = minor(2, 3);
    out[0] = -a[1] * zw + a[2] * yw - a[3] * yz;
    out[1] = a[0] * zw - a[2] * xw + a[3] * xz;
    out[2] = -a[0] * yw + a[1] * xw - a[3] * xy;
    out[3] = a[0] * yz - a[1] * xz + a[2] * xy;
  } else if (n == 5) {
    detail::perpendicular_5d(vectors, out);
  } else {
    detail::perpendicular_by_elimination(n, vectors, out);
  }
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
