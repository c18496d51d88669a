// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <span>
#include <vector>

#include "sinew/array.hpp"

namespace sinew::operations {

/// Rounds real numbers to integers of a type. Those that do not fit become the nearest limit.
template <std::integral T>
[[nodiscard]] std::vector<T> rounded_to(std::span<const double> values, double factor) {
  constexpr double most = std::numeric_limits<T>::max(), least = std::is_signed_v<T> ? -most : 0;
  std::vector<T> integers(values.size());
  std::ranges::transform(values, integers.begin(),
                         [&](double value) { return static_cast<T>(std::lround(std::clamp(value * factor, least, most))); });
  return integers;
}

/// Stores numbers from −1 (unsigned: 0) to 1 as normalised integers.
template <std::integral T>
[[nodiscard]] Array normalized_as(std::span<const double> values, std::size_t width) {
  return Array::own(rounded_to<T>(values, std::numeric_limits<T>::max()), width, true);
}

}  // namespace sinew::operations
