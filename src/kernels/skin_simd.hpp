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

/// Kernels that do the same as those in `plain`, in float, with the instructions of one kind of processor. Results agree within a few
/// roundings (fused multiply-add where the processor has it). The result of a vertex does not depend on its neighbours. Maps start at
/// multiples of 64 bytes; output views have `count` rows, packed or not.
struct SimdKernel {
  std::string_view name;  ///< "avx512", "avx2", "sse4", …
  /// plain::skin for the dimensions of `moves`. Rows of `in` are packed.
  void (*skin)(std::size_t dimension, const InfluenceTiles& tiles, std::size_t first, std::size_t count, const float* maps,
               const Vertices<float>& in, const Moved& out);
  /// For 4 to 8 dimensions: computes the cofactor matrices of `count` vertices, up to a positive factor for each, as a table of maps.
  void (*cofactors)(std::size_t dimension, const InfluenceRows& rows, const std::uint32_t* vertices, std::size_t count, const float* maps,
                    float* table);
  /// Multiplies packed normals by matrices of such a table and normalises: row i by the one at places[i], in units of 8 bytes. Returns
  /// false if some have no direction; these become zeros.
  bool (*turn)(std::size_t dimension, const float* table, const std::uint16_t* places, std::size_t count, const float* normals,
               const strided_view<float>& out);
  /// plain::morph_dense with several blend shapes in order: values[i] = base[i] + Σ amounts[s] · offsets[s][i]. `base` may be `values`;
  /// shapes ≥ 1.
  void (*morph_dense)(float* values, const float* base, std::size_t size, const float* const* offsets, const float* amounts,
                      std::size_t shapes);
  /// plain::morph_sparse for `count` rows.
  void (*morph_rows)(float* values, std::size_t width, float amount, const std::uint32_t* rows, std::size_t count, std::size_t first,
                     const float* offsets);
  /// Returns whether no number is a NaN or an infinity.
  bool (*all_finite)(const float* values, std::size_t size);

  // For three dimensions in double precision, with maps as in maps.hpp, at multiples of 64 bytes. Null without vectors of doubles.
  /// Computes the local maps of eight joints.
  void (*local_maps)(const JointKeys& keys, double* maps);
  /// Computes out[i] = left[pairs[i].left] · right[pairs[i].right], in order. `out` may start in either table: a pair may use an earlier
  /// result and replace its own right map.
  void (*multiply_maps)(const double* left, const double* right, const MapPair* pairs, std::size_t count, double* out);
  /// Calls finish_map for each map. Returns whether all fit.
  bool (*round_maps)(const double* maps, std::size_t count, float* columns, std::array<double, 2>* sizes);
};

/// Returns whether the kernels support a dimension. Above 8, the columns of a map do not fit into registers.
[[nodiscard]] constexpr bool moves(std::size_t dimension) { return dimension >= 2 && dimension <= 8 && has_dimension(dimension); }

/// Returns the kernels that this processor can run, the best one first; may be empty.
[[nodiscard]] std::span<const SimdKernel> simd_kernels();

}  // namespace sinew::kernels
