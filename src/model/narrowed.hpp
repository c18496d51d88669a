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

/// Returns the smallest unsigned type that is not smaller than `least` and holds the largest number plus `spare`.
[[nodiscard]] inline ComponentType fitting_type(const std::vector<std::uint32_t>& numbers, ComponentType least, std::uint64_t spare = 0) {
  const std::uint64_t largest = numbers.empty() ? 0 : std::ranges::max(numbers) + spare;
  if (least == ComponentType::uint8 && largest <= std::numeric_limits<std::uint8_t>::max()) return ComponentType::uint8;
  return byte_size(least) <= 2 && largest <= std::numeric_limits<std::uint16_t>::max() ? ComponentType::uint16 : ComponentType::uint32;
}

/// Stores numbers in an unsigned type that holds them.
[[nodiscard]] inline Array stored_as(ComponentType type, std::vector<std::uint32_t> numbers, std::size_t width = 1) {
  if (type == ComponentType::uint8) return narrowed<std::uint8_t>(numbers, width);
  return type == ComponentType::uint16 ? narrowed<std::uint16_t>(numbers, width) : Array::own(std::move(numbers), width);
}

/// Returns integers in their fitting_type; unchanged if they have it.
[[nodiscard]] inline Array fitted(const Array& values, ComponentType least, std::uint64_t spare = 0) {
  std::vector<std::uint32_t> numbers = values.read<std::uint32_t>();
  const ComponentType type = fitting_type(numbers, least, spare);
  return type == values.type() ? values : stored_as(type, std::move(numbers), values.width());
}

/// Returns integers as fractions of 1, even if their accessor is not normalized; floats stay.
[[nodiscard]] inline Array as_fractions(const Array& values) {
  return Array::borrow(values.data(), values.size(), values.width(), values.stride(), values.type(), !is_float(values.type()),
                       values.owner());
}

/// Stores vertex indices in 16 bits if all are below 2¹⁶−1, otherwise in 32.
[[nodiscard]] inline Array narrowed_indices(std::vector<std::uint32_t> indices) {
  const ComponentType type = fitting_type(indices, ComponentType::uint16, 1);
  return stored_as(type, std::move(indices));
}

}  // namespace sinew
