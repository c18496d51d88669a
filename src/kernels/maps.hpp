// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "math/dimension.hpp"

namespace sinew::kernels {

// How tables of affine maps lie in memory: N+1 columns (linear part, then translation), each padded with zeros to whole SIMD lanes, and
// each map to whole cache lines of floats. In 3D a map is 4 columns of 4 numbers: as floats, one 64-byte line.

/// Numbers from one column to the next: 1, 2, 4, 4, then multiples of 4.
[[nodiscard]] constexpr std::size_t column_stride(std::size_t dimension) { return dimension <= 2 ? dimension : (dimension + 3) / 4 * 4; }
/// Numbers of a map's columns.
[[nodiscard]] constexpr std::size_t map_size(std::size_t dimension) { return (dimension + 1) * column_stride(dimension); }
/// Numbers from one map to the next: whole lines of 16.
[[nodiscard]] constexpr std::size_t map_stride(std::size_t dimension) { return (map_size(dimension) + 15) / 16 * 16; }

}  // namespace sinew::kernels
