// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <span>

namespace sinew {

/// Returns the Euclidean length of a vector.
[[nodiscard]] inline double length_of(std::span<const double> vector) {
  double squares = 0;
  for (const double value : vector) squares += value * value;
  return std::sqrt(squares);
}

[[nodiscard]] inline double length_of(std::span<const float> vector) {
  double squares = 0;
  for (const float value : vector) squares += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(squares);
}

}  // namespace sinew
