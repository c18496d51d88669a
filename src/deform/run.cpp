// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>

#include "base/guard.hpp"
#include "base/parallel.hpp"
#include "deform/blend.hpp"
#include "kernels/skin.hpp"

namespace sinew::deform {

namespace {

/// The block size of the SIMD kernels.
constexpr std::size_t kernel_block = kernels::InfluenceTiles::block;

/// Vertices that are blended at once before skinning, in whole blocks of the kernels: the scratch memory fits the L2 cache and the stack.
/// With pieces of 512, 52 sparse shapes of 100,000 vertices take 2.5 times as long, because few rows of each shape are read at a time;
/// prefetching does not help.
template <class T, std::size_t capacity>
constexpr std::size_t chunk = std::max<std::size_t>(1, 98304 / (kernel_block * capacity * sizeof(T))) * kernel_block;

strided_view<float> wanted_rows(const strided_view<float>& view, const PackedChannel& channel, std::size_t first, std::size_t count) {
  return view.empty() || channel.empty() ? strided_view<float>{} : view.rows(first, count);
}

/// Returns the rows of a channel at these amounts, computed with the chosen kernel.
template <class T>
const T* blended_rows(const Prepared::Packed& packed, const PackedChannel& channel, std::span<const double> amounts, std::size_t first,
                      std::size_t count, T* scratch) {
  if constexpr (std::is_same_v<T, float>)
    if (packed.simd != nullptr) return blended_by(*packed.simd, channel, amounts, first, count, scratch);
  return blended(channel, amounts, first, count, scratch);
}

/// Runs the chosen SIMD kernel. Gives it the rows in the order of the tiles, too, if all requested channels have them and no shape moves
/// one.
void skin(const Prepared::Packed& packed, const PackedBlock& block, std::span<const double> amounts, std::size_t first, std::size_t count,
          const float* maps, kernels::Vertices<float> in, const kernels::Moved& out) {
  bool ready = true;
  const auto rows = [&](const PackedChannel& channel, const float* requested) -> const float* {
    if (requested == nullptr) return nullptr;
    ready = ready && !channel.in_tiles.empty() && still(channel, amounts);
    return ready ? channel.in_tiles.data() + first * channel.width : nullptr;
  };
  const float* const normals = rows(block.normals, in.normals);
  const kernels::Vertices<float> tiled{rows(block.positions, in.positions), normals, rows(block.tangents, in.tangents), normals,
                                       in.cofactors};
  if (ready) in.in_tiles = &tiled;
  packed.simd->skin(packed.dimension, block.tiles, first, count, maps, in, out);
}

/// Deforms vertices [first, last) of a block. Row 0 of the output is vertex `origin` of the block. `origin` may be in another block and so
/// negative, hence the wrapping difference.
template <class T, class D>
void run_block(D n, const Prepared::Packed& packed, const PackedBlock& block, const Palette& palette, std::span<const double> amounts,
               std::size_t first, std::size_t last, std::size_t origin, const Output& output) {
  constexpr std::size_t capacity = capacity_of<D>;
  constexpr std::size_t size = chunk<T, capacity>;
  std::array<T, size * capacity> positions, normals;
  std::array<T, capacity == 3 ? size * 4 : 1> tangents;
  const T* maps = palette.columns<T>().data();
  struct Nothing {  // the others have no use for that much of the stack
    explicit Nothing(std::size_t /*slots*/) {}
    kernels::JointCofactors* if_fit(std::size_t /*n*/) { return nullptr; }
  };
  std::conditional_t<std::is_same_v<T, float> && (capacity > 3), kernels::JointCofactors, Nothing> cofactors(packed.slots + 1);
  for (std::size_t begin = first, count = 0; begin < last; begin += count) {
    count = std::min(size - begin % size, last - begin);
    const kernels::Moved out{wanted_rows(output.positions, block.positions, begin - origin, count),
                             wanted_rows(output.normals, block.normals, begin - origin, count),
                             wanted_rows(output.tangents, block.tangents, begin - origin, count)};
    kernels::Vertices<T> in;
    if (!out.positions.empty()) in.positions = blended_rows(packed, block.positions, amounts, begin, count, positions.data());
    if (!out.normals.empty()) {
      in.normals = blended_rows(packed, block.normals, amounts, begin, count, normals.data());
      in.base_normals = block.normals.values.data() + begin * n;
    }
    if (!out.tangents.empty()) in.tangents = blended_rows(packed, block.tangents, amounts, begin, count, tangents.data());
    if constexpr (std::is_same_v<T, float>)
      if (packed.simd != nullptr) {
        in.cofactors = cofactors.if_fit(n);
        skin(packed, block, amounts, begin, count, maps, in, out);
        continue;
      }
    if (block.skinned)
      kernels::plain::skin(n, block.influences(), begin, count, maps, in, out);
    else
      kernels::plain::transform(n, count, maps + packed.slots * kernels::map_stride(n), in, out);
  }
}

template <class T>
void run_range(const Prepared::Packed& packed, const Palette& palette, std::span<const double> amounts, Range range, const Output& output) {
  with_dimension(packed.dimension, [&](auto n) {
    for (const PackedBlock& block : packed.blocks) {
      const std::size_t first = std::max(range.first, block.first), last = std::min(range.last, block.first + block.vertices);
      if (first < last)
        run_block<T>(n, packed, block, palette, amounts, first - block.first, last - block.first, range.first - block.first, output);
    }
  });
}

}  // namespace

void run(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, Range range, const Output& output) noexcept {
  const Prepared::Packed& packed = prepared.packed();
  assert(range.first <= range.last && range.last <= packed.vertices);
  assert(palette.dimension() == packed.dimension && palette.size() == packed.slots + 1);
  if (needs_double(packed, palette, amounts))
    run_range<double>(packed, palette, amounts, range, output);
  else
    run_range<float>(packed, palette, amounts, range, output);
}

void run_parallel(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, const Output& output,
                  unsigned threads) noexcept {
  const auto run_range = [&](std::size_t first, std::size_t last) {
    run(prepared, palette, amounts, {first, last}, rows_of(output, first, last - first));
  };
  tried([&] { parallel_for(prepared.vertices(), grain, threads_for(prepared.packed().work, threads), std::ref(run_range)); },
        [&] { run_range(0, prepared.vertices()); });  // no memory for threads, or a deadline
}

}  // namespace sinew::deform
