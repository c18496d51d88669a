// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace sinew::kernels {

/// Two rows, by their numbers in two tables.
struct RowPair {
  std::uint32_t a, b;
  friend auto operator<=>(const RowPair&, const RowPair&) = default;
};

/// Returns the distance of two rows; infinite if a number is not finite.
[[nodiscard]] inline double distance(const float* a, const float* b, std::size_t width) {
  double sum = 0;
  for (std::size_t c = 0; c < width; ++c) {
    const double d = static_cast<double>(a[c]) - static_cast<double>(b[c]);
    sum += d * d;
  }
  return std::isfinite(sum) ? std::sqrt(sum) : std::numeric_limits<double>::infinity();
}

struct DistanceSum {
  double squares = 0;  ///< of the distances, in the order of the pairs
  double max = 0;
};

/// Sums up the distances of pairs of packed rows of `width` numbers.
[[nodiscard]] DistanceSum distances(const float* a, const float* b, std::size_t width, std::span<const RowPair> pairs);

}  // namespace sinew::kernels
