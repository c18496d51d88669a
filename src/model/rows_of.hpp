// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "sinew/array.hpp"

namespace sinew {

/// Returns some rows of an array, in the same component type. An element of `keys`, a range of numbers, stands for `per_key` rows.
template <class Keys>
[[nodiscard]] Array rows_of(const Array& array, const Keys& keys, std::size_t per_key = 1) {
  const std::size_t row = array.width() * byte_size(array.type());
  const auto bytes = std::make_shared<std::vector<std::uint64_t>>((keys.size() * per_key * row + 7) / 8);  // aligned for all types
  auto* out = reinterpret_cast<std::byte*>(bytes->data());
  for (const std::size_t key : keys)
    for (std::size_t i = 0; i < per_key; ++i, out += row) std::memcpy(out, array.data() + (key * per_key + i) * array.stride(), row);
  return Array::borrow(bytes->data(), keys.size() * per_key, array.width(), row, array.type(), array.normalized(), bytes);
}

}  // namespace sinew
