// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>

#include "deform/packed.hpp"
#include "kernels/morph.hpp"

namespace sinew::deform {

inline double amount_of(const PackedOffsets& offsets, std::span<const double> amounts) {
  return offsets.shape < amounts.size() ? amounts[offsets.shape] : 0;
}

/// Rows [first, first + count) of a channel at these amounts: in place where nothing moves them, else in `scratch`.
template <class T>
const T* blended(const PackedChannel& channel, std::span<const double> amounts, std::size_t first, std::size_t count, T* scratch) {
  const std::size_t width = channel.width, begin = first * width, size = count * width;
  const float* stored = channel.values.data() + begin;
  if constexpr (std::is_same_v<T, float>) {
    const auto still = [&](const PackedOffsets& offsets) { return amount_of(offsets, amounts) == 0; };
    if (std::all_of(channel.offsets.begin(), channel.offsets.end(), still)) return stored;
  }
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

}  // namespace sinew::deform
