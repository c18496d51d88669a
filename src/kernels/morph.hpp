// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew::kernels::plain {

/// Computes values[i] += amount · offsets[i].
template <class T>
void morph_dense(std::span<T> values, T amount, std::span<const float> offsets) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += amount * static_cast<T>(offsets[i]);
}

/// Does the same for the given rows (a repeated row is moved repeatedly): row r of the offsets moves row rows[r] − first of `values`.
template <class T>
void morph_sparse(std::span<T> values, std::size_t width, T amount, std::span<const std::uint32_t> rows, std::size_t first,
                  std::span<const float> offsets) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    T* value = &values[(rows[r] - first) * width];
    for (std::size_t c = 0; c < width; ++c) value[c] += amount * static_cast<T>(offsets[r * width + c]);
  }
}

}  // namespace sinew::kernels::plain
