// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

#include "math/cofactor.hpp"

namespace sinew {

/// The vector perpendicular to N−1 vectors, packed: the last column of the cofactor matrix whose other columns they are. 4D is written out.
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

}  // namespace sinew
