// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "math/dimension.hpp"

namespace sinew {

namespace detail {

/// P·A·Q = L·U with full pivoting, for N rows and up to N columns, which are `stride` apart.
template <class T, class D>
struct PivotedLu {
  static constexpr std::size_t capacity = capacity_of<D>;
  std::array<T, capacity * capacity> lu;
  std::array<std::size_t, capacity> row, column;
  T sign = 1;   ///< of both permutations
  T scale = 1;  ///< the product of the pivots, without that of the last row

  T& at(std::size_t i, std::size_t j) { return lu[column[j] * capacity + row[i]]; }

  /// Returns false if a pivot before that of the last row is 0: the rank is below N−1, and below the number of columns.
  bool run(D n, std::size_t columns, const T* a, std::size_t stride) {
    std::iota(row.begin(), row.end(), std::size_t{0});
    std::iota(column.begin(), column.end(), std::size_t{0});
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t i = 0; i < n; ++i) lu[j * capacity + i] = a[j * stride + i];
    for (std::size_t k = 0; k < columns; ++k) {
      std::size_t r = k, c = k;
      for (std::size_t j = k; j < columns; ++j)
        for (std::size_t i = k; i < n; ++i)
          if (std::abs(at(i, j)) > std::abs(at(r, c))) r = i, c = j;
      if (r != k) std::swap(row[r], row[k]), sign = -sign;
      if (c != k) std::swap(column[c], column[k]), sign = -sign;
      if (k + 1 == n) break;
      if (!(std::abs(at(k, k)) > 0)) return false;
      scale *= at(k, k);
      for (std::size_t i = k + 1; i < n; ++i) {
        const T factor = at(i, k) / at(k, k);
        at(i, k) = factor;
        for (std::size_t j = k + 1; j < columns; ++j) at(i, j) -= factor * at(k, j);
      }
    }
    return true;
  }
};

/// The general case, from P·A·Q = L·U. The adjugate reverses products, so adj(A) = ±Q·adj(U)·L⁻¹·P. If A has rank N−1, only the last pivot
/// of U is small or zero, and adj(U) = d·[p·U₁⁻¹, −U₁⁻¹·u; 0, 1] does not divide by it (U₁: U without its last row and column, d = det U₁,
/// u and p: the last column above and at the diagonal). O(N³).
template <class T, class D>
void cofactor_by_elimination(D n, const T* a, std::size_t stride, T* out) {
  PivotedLu<T, D> lu;
  std::fill_n(out, n * n, T{0});
  if (!lu.run(n, n, a, stride)) return;  // rank below N−1: all minors of that size are 0

  const std::size_t last = n - 1;
  const T p = lu.at(last, last);
  std::array<T, PivotedLu<T, D>::capacity> x;
  for (std::size_t j = 0; j < n; ++j) {  // column j of adj(U)·L⁻¹
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = i == j ? T{1} : T{0};
      for (std::size_t k = j; k < i; ++k) x[i] -= lu.at(i, k) * x[k];
    }
    const T z = x[last];
    for (std::size_t i = last; i-- > 0;) {
      x[i] = p * x[i] - z * lu.at(i, last);
      for (std::size_t k = i + 1; k < last; ++k) x[i] -= lu.at(i, k) * x[k];
      x[i] /= lu.at(i, i);
    }
    for (std::size_t i = 0; i < n; ++i) out[lu.column[i] * n + lu.row[j]] = lu.sign * lu.scale * x[i];
  }
}

}  // namespace detail

/// Computes the cofactor matrix of the N×N matrix `a` (column-major, columns `stride` apart), packed column-major: det(A)·A⁻ᵀ, extended to
/// singular matrices. It transforms covectors such as normals of a moved surface, up to a positive factor, also for mirroring maps.
template <class T, class D>
void cofactor(D n, const T* a, std::size_t stride, T* out) {
  if (n == 0) return;
  if (n == 1) {
    out[0] = 1;
  } else if (n == 2) {
    const T *x = a, *y = a + stride;
    out[0] = y[1], out[1] = -y[0];
    out[2] = -x[1], out[3] = x[0];
  } else if (n == 3) {
    for (std::size_t j = 0; j < 3; ++j) {  // each column is the cross product of the two others
      const T *x = a + (j + 1) % 3 * stride, *y = a + (j + 2) % 3 * stride;
      out[3 * j + 0] = x[1] * y[2] - x[2] * y[1];
      out[3 * j + 1] = x[2] * y[0] - x[0] * y[2];
      out[3 * j + 2] = x[0] * y[1] - x[1] * y[0];
    }
  } else {
    detail::cofactor_by_elimination(n, a, stride, out);
  }
}

}  // namespace sinew
