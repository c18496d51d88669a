// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/parallel.hpp"
#include "deform/blend.hpp"
#include "kernels/skin.hpp"

namespace sinew::deform {

namespace {

/// What the SIMD kernels take at a time.
constexpr std::size_t kernel_block = kernels::InfluenceTiles::block;

/// Vertices that are blended before they are skinned, whole blocks of the kernels: their scratch stays in the second cache, and on the
/// stack. 52 sparse shapes of 100,000 vertices take 2.5 times as long in pieces of 512, where few rows of every shape are read at a time,
/// and asking for them ahead helps nothing.
template <class T, std::size_t capacity>
constexpr std::size_t chunk = std::max<std::size_t>(1, 98304 / (kernel_block * capacity * sizeof(T))) * kernel_block;

/// Whether float arithmetic would leave more than a few millionths of the result's size. A map's products and sums are rounded relative
/// to |L|·|v| + |t|, while the result is about |L|·extent large; where the first outweighs the second (vertices far from the origin that
/// the palette brings back, a model far out in the world) the same kernels run in double. 16 · 7 roundings · 2⁻²⁴ is about 7e-6.
bool needs_double(const Prepared::Packed& packed, const Palette& palette) {
  double reach = 0, size = 0;
  for (const std::uint32_t slot : packed.used_slots) {
    const Palette::MapSize& map = palette.map_size(slot);
    reach = std::max(reach, map.linear * packed.reach + map.translation);
    size = std::max(size, map.linear * packed.extent);
  }
  return reach > 16 * size;
}

strided_view<float> wanted_rows(const strided_view<float>& view, const PackedChannel& channel, std::size_t first, std::size_t count) {
  return view.empty() || channel.empty() ? strided_view<float>{} : view.rows(first, count);
}

/// Rows of a channel at these amounts, with the kernel that was chosen.
template <class T>
const T* blended_rows(const Prepared::Packed& packed, const PackedChannel& channel, std::span<const double> amounts, std::size_t first,
                      std::size_t count, T* scratch) {
  if constexpr (std::is_same_v<T, float>)
    if (packed.simd != nullptr) return blended_by(*packed.simd, channel, amounts, first, count, scratch);
  return blended(channel, amounts, first, count, scratch);
}

/// Rows of a whole block of the kernels as they are stored in the order of its tiles, if they are and no shape moves them.
bool rows_in_tiles(const PackedBlock& block, std::span<const double> amounts, std::size_t first, std::size_t count,
                   const kernels::Moved& out, kernels::Vertices<float>& in) {
  const auto rows = [&](const PackedChannel& channel, bool wanted) { return wanted ? &channel.in_tiles[first * channel.width] : nullptr; };
  const auto ready = [&](const PackedChannel& channel, bool wanted) {
    return !wanted || (!channel.in_tiles.empty() && still(channel, amounts));
  };
  const bool positions = !out.positions.empty(), normals = !out.normals.empty(), tangents = !out.tangents.empty();
  if (block.tiles.order.empty() || first % kernel_block != 0 || count != std::min(kernel_block, block.vertices - first) ||
      !ready(block.positions, positions) || !ready(block.normals, normals) || !ready(block.tangents, tangents))
    return false;
  in = {rows(block.positions, positions), rows(block.normals, normals), rows(block.tangents, tangents), rows(block.normals, normals), true};
  return true;
}

/// With the SIMD kernel that was chosen.
template <class D>
void skin(D n, const Prepared::Packed& packed, const PackedBlock& block, std::span<const double> amounts, std::size_t first,
          std::size_t count, const float* maps, const kernels::Vertices<float>& in, const kernels::Moved& out) {
  for (std::size_t done = 0, size = 0; done < count; done += size) {
    const std::size_t begin = first + done;
    size = std::min(kernel_block - begin % kernel_block, count - done);
    const auto at = [&](const float* channel, std::size_t width) { return channel == nullptr ? nullptr : channel + done * width; };
    const kernels::Moved to = rows_of(out, done, size);
    kernels::Vertices<float> from;
    if (!rows_in_tiles(block, amounts, begin, size, to, from))
      from = {at(in.positions, n), at(in.normals, n), at(in.tangents, 4), at(in.base_normals, n)};
    packed.simd->skin(n, block.tiles, begin, size, maps, from, to);
  }
}

/// Vertices [first, last) of a block; row 0 of the output is vertex `origin` of the block's own count (which may be negative as a place
/// in another block, hence the wrapping difference).
template <class T, class D>
void run_block(D n, const Prepared::Packed& packed, const PackedBlock& block, const Palette& palette, std::span<const double> amounts,
               std::size_t first, std::size_t last, std::size_t origin, const Output& output) {
  constexpr std::size_t capacity = capacity_of<D>;
  constexpr std::size_t size = chunk<T, capacity>;
  std::array<T, size * capacity> positions, normals;
  std::array<T, size * 4> tangents;
  const T* maps = palette.columns<T>().data();
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
        skin(n, packed, block, amounts, begin, count, maps, in, out);
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

void run(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, Range range, const Output& output) {
  const Prepared::Packed& packed = prepared.packed();
  assert(range.first <= range.last && range.last <= packed.vertices);
  assert(palette.dimension() == packed.dimension && palette.size() == packed.slots + 1);
  if (needs_double(packed, palette))
    run_range<double>(packed, palette, amounts, range, output);
  else
    run_range<float>(packed, palette, amounts, range, output);
}

void run_parallel(const Prepared& prepared, const Palette& palette, std::span<const double> amounts, const Output& output,
                  unsigned threads) {
  parallel_for(prepared.vertices(), grain, threads_for(prepared.vertices(), threads), [&](std::size_t first, std::size_t last) {
    run(prepared, palette, amounts, {first, last}, rows_of(output, first, last - first));
  });
}

}  // namespace sinew::deform
