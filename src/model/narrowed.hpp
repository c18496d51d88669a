// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sinew/array.hpp"

namespace sinew {

/// Converts numbers to a smaller type. Precondition: they all fit.
template <class T>
[[nodiscard]] Array narrowed(const std::vector<std::uint32_t>& numbers, std::size_t width = 1) {
  std::vector<T> narrow(numbers.size());
  std::ranges::transform(numbers, narrow.begin(), [](std::uint32_t number) { return static_cast<T>(number); });
  return Array::own(std::move(narrow), width);
}

/// Stores vertex indices in 16 bits if all are below 2¹⁶−1, otherwise in 32.
[[nodiscard]] inline Array narrowed_indices(std::vector<std::uint32_t> indices) {
  const bool wide = std::ranges::any_of(indices, [](std::uint32_t index) { return index >= std::numeric_limits<std::uint16_t>::max(); });
  return wide ? Array::own(std::move(indices), 1) : narrowed<std::uint16_t>(indices);
}

}  // namespace sinew
