// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/array.hpp"

namespace sinew {

// Blades as sets of axes. The sign of a product depends only on the parity of axis swaps.

using Mask = std::uint32_t;

[[nodiscard]] constexpr double sign_if_odd(int count) { return (count & 1) != 0 ? -1.0 : 1.0; }
/// reverse(e_A) = ± e_A: −1 for grades 2 and 3 modulo 4.
[[nodiscard]] constexpr double reverse_sign(Mask blade) { return sign_if_odd(std::popcount(blade) / 2); }
/// e_A · e_k = ± e_(A xor k): e_k is swapped with the axes of A behind k.
[[nodiscard]] constexpr double append_sign(Mask blade, std::size_t axis) { return sign_if_odd(std::popcount(blade >> (axis + 1))); }

/// Calls `each(mask)` for the even blades of N-space in the order of storage.
template <class Each>
void for_each_even_blade(std::size_t dimension, Each each) {
  const Mask end = Mask{1} << dimension;
  each(Mask{0});
  for (std::size_t grade = 2; grade <= dimension; grade += 2) {
    for (Mask mask = (Mask{1} << grade) - 1; mask < end;) {
      each(mask);
      const Mask low = mask & (0u - mask), ripple = mask + low;  // the next larger number with as many bits (Gosper)
      mask = ripple | (((mask ^ ripple) >> 2) / low);
    }
  }
}

/// Numbers indexed by the masks of their blades, including odd ones (always 0): 2^N, stored inline up to four dimensions.
using Blades = SmallVector<double, 16>;

/// Returns a rotor by mask; missing trailing components are 0.
[[nodiscard]] inline Blades by_mask_of(std::size_t dimension, std::span<const double> rotor) {
  Blades blades(std::size_t{1} << dimension);
  std::size_t next = 0;
  for_each_even_blade(dimension, [&](Mask mask) {
    blades[mask] = next < rotor.size() ? rotor[next] : 0;
    ++next;
  });
  return blades;
}

/// Stores all components as a rotor.
inline void store(std::size_t dimension, const Blades& blades, std::span<double> rotor) {
  std::size_t next = 0;
  for_each_even_blade(dimension, [&](Mask mask) { rotor[next++] = blades[mask]; });
}

}  // namespace sinew
