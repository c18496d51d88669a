// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sinew {

/// Computes P·M = L·U of an n×n matrix (column-major) in place, with partial pivoting. Calls swapped(k, p) for each swap of rows k and p.
/// Returns the determinant.
template <class Swapped>
double eliminate(std::size_t n, double* m, const Swapped& swapped) {
  double determinant = 1;
  for (std::size_t k = 0; k < n; ++k) {
    double* const column = m + k * n;
    const double* largest = std::max_element(column + k, column + n, [](double a, double b) { return std::abs(a) < std::abs(b); });
    const auto pivot = static_cast<std::size_t>(largest - column);
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(m[j * n + k], m[j * n + pivot]);
      swapped(k, pivot);
      determinant = -determinant;
    }
    determinant *= column[k];
    if (column[k] == 0) continue;
    for (std::size_t i = k + 1; i < n; ++i) column[i] /= column[k];
    for (std::size_t j = k + 1; j < n; ++j)
      for (std::size_t i = k + 1; i < n; ++i) m[j * n + i] -= column[i] * m[j * n + k];
  }
  return determinant;
}

/// Returns the determinant of an n×n matrix and overwrites it.
inline double determinant_of(std::size_t n, double* m) {
  return eliminate(n, m, [](std::size_t, std::size_t) {});
}

}  // namespace sinew
