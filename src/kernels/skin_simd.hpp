// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "kernels/joints.hpp"
#include "kernels/skin.hpp"
#include "kernels/tiles.hpp"

namespace sinew::kernels {

/// Kernels that do what those in `plain` do, in float, with the instructions of one kind of processor. They agree with
/// them within a few roundings (products are added without rounding in between where the processor can), and a vertex's result does not
/// depend on its neighbours. Maps lie on 64-byte boundaries; rows of the output are `count` long, packed or not.
struct SimdKernel {
  std::string_view name;  ///< "avx512", "avx2", "sse4", …
  /// plain::skin in as many dimensions as `moves` says, for vertices of one block of the tiles: first / block is that of the last vertex,
  /// too. Rows of `in` are packed; those that are in the order of the tiles (3 dimensions) are those of a whole block.
  void (*skin)(std::size_t dimension, const InfluenceTiles& tiles, std::size_t first, std::size_t count, const float* maps,
               const Vertices<float>& in, const Moved& out);
  /// plain::morph_dense with several blend shapes, one after the other: values[i] = base[i] + Σ amounts[s] · offsets[s][i].
  /// `base` may be `values`; shapes ≥ 1.
  void (*morph_dense)(float* values, const float* base, std::size_t size, const float* const* offsets, const float* amounts,
                      std::size_t shapes);
  /// plain::morph_sparse for `count` rows.
  void (*morph_rows)(float* values, std::size_t width, float amount, const std::uint32_t* rows, std::size_t count, std::size_t first,
                     const float* offsets);
  /// Whether none of the numbers is a NaN or an infinity.
  bool (*all_finite)(const float* values, std::size_t size);

  // In three dimensions and double precision; maps as in maps.hpp, on 64-byte boundaries. Null where there are no vectors of doubles.
  /// Local maps of eight joints.
  void (*local_maps)(const JointKeys& keys, double* maps);
  /// out[i] = left[pairs[i].left] · right[pairs[i].right], one after the other. `out` may begin in either table: a pair may ask for what
  /// an earlier one gave, and replace its own right map.
  void (*multiply_maps)(const double* left, const double* right, const MapPair* pairs, std::size_t count, double* out);
  /// finish_map of each; whether all fit.
  bool (*round_maps)(const double* maps, std::size_t count, float* columns, std::array<double, 2>* sizes);
};

/// Beyond 8 dimensions the columns of a map would not stay in registers.
[[nodiscard]] constexpr bool moves(std::size_t dimension) { return dimension >= 2 && dimension <= 8; }

/// Those that this processor can run, the best one first; may be empty.
[[nodiscard]] std::span<const SimdKernel> simd_kernels();

}  // namespace sinew::kernels
