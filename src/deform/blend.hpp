// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <type_traits>

#include "deform/packed.hpp"
#include "kernels/morph.hpp"

namespace sinew::deform {

inline double amount_of(const PackedOffsets& offsets, std::span<const double> amounts) {
  return offsets.shape < amounts.size() ? amounts[offsets.shape] : 0;
}

/// Returns whether no shape moves the channel at these amounts.
inline bool still(const PackedChannel& channel, std::span<const double> amounts) {
  return std::all_of(channel.offsets.begin(), channel.offsets.end(),
                     [&](const PackedOffsets& offsets) { return amount_of(offsets, amounts) == 0; });
}

/// Returns rows [first, first + count) of a channel at these amounts: the stored rows if no shape moves them, else `scratch`.
template <class T>
const T* blended(const PackedChannel& channel, std::span<const double> amounts, std::size_t first, std::size_t count, T* scratch) {
  const std::size_t width = channel.width, begin = first * width, size = count * width;
  const float* stored = channel.values.data() + begin;
  if constexpr (std::is_same_v<T, float>)
    if (still(channel, amounts)) return stored;
  const std::span<T> values(scratch, size);
  std::copy_n(stored, size, scratch);
  for (const PackedOffsets& offsets : channel.offsets) {
    const T amount = static_cast<T>(amount_of(offsets, amounts));
    if (amount == 0) continue;
    if (!offsets.sparse) {
      kernels::plain::morph_dense(values, amount, std::span(offsets.values).subspan(begin, size));
      continue;
    }
    const auto row = [&](std::size_t vertex) {
      return static_cast<std::size_t>(std::lower_bound(offsets.rows.begin(), offsets.rows.end(), vertex) - offsets.rows.begin());
    };
    const std::size_t from = row(first), to = row(first + count);
    kernels::plain::morph_sparse(values, width, amount, std::span(offsets.rows).subspan(from, to - from), first,
                                 std::span(offsets.values).subspan(from * width, (to - from) * width));
  }
  return scratch;
}

/// Adds sparse offsets to rows [first, first + count), which start at a block of the kernels. Row 0 of `values` is `first`.
inline void add_sparse(const kernels::SimdKernel& kernel, const PackedOffsets& offsets, std::size_t width, float amount, std::size_t first,
                       std::size_t count, float* values) {
  constexpr std::size_t block = kernels::InfluenceTiles::block;
  const std::uint32_t from = offsets.block_first[first / block], to = offsets.block_first[(first + count - 1) / block + 1];
  if (offsets.stretches.empty()) {
    const auto* const begin = offsets.rows.data() + from;
    const auto* const end = offsets.rows.data() + to;
    const bool whole = first % block == 0 && count % block == 0;  // otherwise a search for an end costs as much as 20 entries
    const auto* const low = whole ? begin : std::lower_bound(begin, end, first);
    const auto* const high = whole ? end : std::lower_bound(low, end, first + count);
    kernel.morph_rows(values, width, amount, low, static_cast<std::size_t>(high - low), first,
                      offsets.values.data() + static_cast<std::size_t>(low - offsets.rows.data()) * width);
    return;
  }
  for (std::uint32_t i = from; i < to; ++i) {
    const PackedOffsets::Stretch& stretch = offsets.stretches[i];
    const std::size_t low = std::max<std::size_t>(stretch.row, first);
    const std::size_t high = std::min<std::size_t>(std::size_t{stretch.row} + stretch.count, first + count);
    if (low >= high) continue;
    const float* moved = offsets.values.data() + (stretch.begin + (low - stretch.row)) * width;
    float* const value = values + (low - first) * width;
    kernel.morph_dense(value, value, (high - low) * width, &moved, &amount, 1);
  }
}

/// Does the same with a SIMD kernel: first the dense shapes, several at a time, then the sparse ones.
inline const float* blended_by(const kernels::SimdKernel& kernel, const PackedChannel& channel, std::span<const double> amounts,
                               std::size_t first, std::size_t count, float* scratch) {
  const std::size_t width = channel.width, begin = first * width, size = count * width;
  const float* stored = channel.values.data() + begin;
  if (still(channel, amounts)) return stored;
  const float* base = stored;
  std::array<const float*, 8> dense;
  std::array<float, 8> by;
  std::size_t shapes = 0;
  const auto add = [&] {
    if (shapes == 0) return;
    kernel.morph_dense(scratch, base, size, dense.data(), by.data(), shapes);
    base = scratch;
    shapes = 0;
  };
  for (const PackedOffsets& offsets : channel.offsets) {
    const auto amount = static_cast<float>(amount_of(offsets, amounts));
    if (offsets.sparse || amount == 0) continue;
    dense[shapes] = offsets.values.data() + begin;
    by[shapes] = amount;
    if (++shapes == dense.size()) add();
  }
  add();
  if (base == stored) std::copy_n(stored, size, scratch);
  for (const PackedOffsets& offsets : channel.offsets)
    if (const auto amount = static_cast<float>(amount_of(offsets, amounts)); offsets.sparse && amount != 0)
      add_sparse(kernel, offsets, width, amount, first, count, scratch);
  return scratch;
}

}  // namespace sinew::deform
