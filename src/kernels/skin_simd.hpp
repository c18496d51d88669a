// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "kernels/skin.hpp"

namespace sinew::kernels {

/// Kernels that do what those in `plain` do, for 3 dimensions in float, with the instructions of one kind of processor. They agree with
/// them within a few roundings (products are added without rounding in between where the processor can), and a vertex's result does not
/// depend on its neighbours. Maps lie on 64-byte boundaries; rows of the output are `count` long, packed or not.
struct SimdKernel {
  std::string_view name;  ///< "avx512", "avx2", "sse4", …
  /// plain::skin.
  void (*skin)(const InfluenceRows& rows, std::size_t first, std::size_t count, const float* maps, const Vertices<float>& in,
               const Moved& out);
};

/// Those that this processor can run, the best one first; may be empty.
[[nodiscard]] std::span<const SimdKernel> simd_kernels();

}  // namespace sinew::kernels
