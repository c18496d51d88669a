// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <cstddef>
#include <type_traits>

namespace sinew {

/// The largest dimension that kernels keep on the stack.
inline constexpr std::size_t max_dimension = 16;

/// Returns whether this build computes in that dimension (the switch SINEW_DIMENSIONS).
[[nodiscard]] constexpr bool has_dimension([[maybe_unused]] std::size_t dimension) {
#ifdef SINEW_ONLY_3D
  return dimension == 3;
#else
  return true;
#endif
}

template <std::size_t N>
using FixedDimension = std::integral_constant<std::size_t, N>;

/// The size of a buffer indexed by dimension: N if it is known at compile time, else `max_dimension`.
template <class D>
inline constexpr std::size_t capacity_of = max_dimension;
template <std::size_t N>
inline constexpr std::size_t capacity_of<FixedDimension<N>> = N;

/// Calls `function` with the dimension as a compile-time constant for 2 to 5, else as a number. One generic body serves both.
template <class Function>
decltype(auto) with_dimension(std::size_t dimension, Function&& function) {
  assert(dimension <= max_dimension);
#ifdef SINEW_ONLY_3D
  return dimension == 3 ? function(FixedDimension<3>{}) : function(dimension);
#else
  switch (dimension) {
    case 2:
      return function(FixedDimension<2>{});
    case 3:
      return function(FixedDimension<3>{});
    case 4:
      return function(FixedDimension<4>{});
    case 5:
      return function(FixedDimension<5>{});
    default:
      return function(dimension);
  }
#endif
}

}  // namespace sinew
