// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace sinew {

/// Returns whether two columns of an N×N matrix (column-major) are not perpendicular, by more than rounding. Such a matrix is not a
/// rotation times a scale along the axes.
[[nodiscard]] inline bool is_sheared(std::size_t n, std::span<const double> columns, double rounding = 1e-6) {
  const auto dot = [&](std::size_t j, std::size_t k) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += columns[j * n + i] * columns[k * n + i];
    return sum;
  };
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = j + 1; k < n; ++k)
      if (std::abs(dot(j, k)) > rounding * std::sqrt(dot(j, j) * dot(k, k))) return true;
  return false;
}

}  // namespace sinew
