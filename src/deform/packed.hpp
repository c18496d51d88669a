// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/skin.hpp"
#include "kernels/skin_simd.hpp"

#include "sinew/deform.hpp"
#include "sinew/geometry.hpp"

namespace sinew::deform {

/// One blend shape's offsets of one channel: for every row of the block, or for `rows` in ascending order.
struct PackedOffsets {
  Index shape = 0;
  bool sparse = false;
  std::vector<std::uint32_t> rows;
  std::vector<float> values;

  /// Rows one after the other: entries [begin, begin + count) move the vertices from `row` on, all of one block of the kernels.
  struct Stretch {
    std::uint32_t row = 0, begin = 0, count = 0;
  };
  // For the SIMD kernel, what lies in each of its blocks (one more at the end): stretches, or entries where those would be short.
  std::vector<Stretch> stretches{};
  std::vector<std::uint32_t> block_first{};
};

/// Packed rows of one attribute; no rows: the block lacks it or it was not asked for. Tangents have width 4, their offsets a zero w.
struct PackedChannel {
  std::size_t width = 0;
  std::vector<float> values;
  std::vector<PackedOffsets> offsets;
  std::vector<float> in_tiles{};  ///< `values` in the order of the SIMD kernel's tiles, where that is another

  [[nodiscard]] bool empty() const { return values.empty(); }
};

struct PackedBlock {
  std::size_t first = 0;  ///< its place among the vertices of all blocks
  std::size_t vertices = 0;
  PackedChannel positions, normals, tangents;
  bool skinned = false;  ///< false: moved by the palette's last map as a whole
  std::vector<std::uint32_t> row_first;
  std::vector<std::uint32_t> slot;
  std::vector<float> weight;
  kernels::InfluenceTiles tiles;  ///< the same for the SIMD kernel, if there is one

  [[nodiscard]] kernels::InfluenceRows influences() const { return {row_first.data(), slot.data(), weight.data()}; }
};

/// The corners of a surface, or of its topology's boundary items.
struct PackedCorners {
  std::size_t first = 0;  ///< its place among the corners of all surfaces
  std::size_t count = 0;
  std::size_t block = 0;
  std::vector<std::uint32_t> vertex;  ///< of each corner, in the block; empty: corners were not asked for
  PackedChannel normals;              ///< one row per corner; empty: flat
  kernels::InfluenceTiles tiles{};    ///< the influences of each corner's vertex, for the SIMD kernel; empty: without it
  bool some_vanish = false;           ///< some stored normal has no direction
  bool on_flat = false;               ///< the normals are offsets only, to be added to the flat ones before skinning

  // Cells: what a flat normal belongs to. Simplexes are their own orientation.
  std::size_t simplex_corners = 0;      ///< 0: the corners are no simplexes with a normal
  std::vector<std::size_t> cell_first;  ///< topology: the first corner of each boundary item
  IndexRows facing;                     ///< topology: the N vertices that say where each item faces, or an empty row

  /// The vertices that orient the cell around a corner, and the cell's number.
  struct Cell {
    std::size_t number = 0;
    std::span<const std::uint32_t> facing;
  };
  [[nodiscard]] Cell cell(std::size_t corner) const;
};

struct Prepared::Packed {
  std::size_t dimension = 0;
  std::size_t vertices = 0;
  std::size_t shapes = 0;
  std::size_t slots = 0;  ///< of the palettes: the node's own map has this index
  bool normals = false;
  bool tangents = false;
  const kernels::SimdKernel* simd = nullptr;  ///< for float, in dimensions that it knows; null: plain
  std::vector<PackedBlock> blocks;
  std::vector<PackedCorners> corners;  ///< one per surface
  std::vector<PackedCorners> topology_corners;
  bool corner_normals = false;
  bool topology_normals = false;
  std::vector<std::uint32_t> used_slots;  ///< ascending, the node's map included where it is used
  double reach = 0;                       ///< no coordinate of a vertex (or vertex plus one offset) is farther from 0
  double extent = 0;                      ///< the longest side of the box around the vertices
};

/// A piece of work of which a thread takes several: whole blocks of the kernels.
constexpr std::size_t grain = 2 * kernels::InfluenceTiles::block;
/// Threads for so many vertices: less than this is done before another thread is awake.
[[nodiscard]] constexpr unsigned threads_for(std::size_t vertices, unsigned threads) { return vertices < 8 * grain ? 1 : threads; }

/// Rows [first, first + count) of the channels that are wanted. `Channels`: Output, or the kernels' Moved.
template <class Channels>
[[nodiscard]] Channels rows_of(const Channels& all, std::size_t first, std::size_t count) {
  const auto part = [&](const strided_view<float>& rows) { return rows.empty() ? rows : rows.rows(first, count); };
  return {part(all.positions), part(all.normals), part(all.tangents)};
}

/// Rows of an attribute, spread where several of `rows` vertices or corners share a value, `width` numbers each.
[[nodiscard]] PackedChannel pack_channel(const Attribute& attribute, std::size_t rows, std::size_t width);
/// Finds the stretches of sparse offsets.
void find_stretches(PackedChannel& channel, std::size_t rows);
/// What of a channel is not finite, and where.
struct NotFinite {
  std::string part;  ///< `what`, or "what offset by blend shape n"
  std::size_t row;
};
[[nodiscard]] std::optional<NotFinite> not_finite(const PackedChannel& channel, std::string_view what);

/// The influences of `rows` vertices for the SIMD kernels: row i is that of vertex[i] of the block, or of vertex i where that is empty.
[[nodiscard]] kernels::InfluenceTiles tiles_of(const PackedBlock& block, std::size_t rows, std::span<const std::uint32_t> vertex,
                                               const Prepared::Packed& packed);

/// The corners of all surfaces and their normals, if those were asked for (corners.cpp).
[[nodiscard]] Result<> pack_corners(const Mesh& mesh, const PrepareOptions& options, Prepared::Packed& out);

/// Compressed rows of what counts of a block's influences (influences.cpp).
[[nodiscard]] Result<> pack_influences(const Mesh& mesh, std::size_t block, const PrepareOptions& options, PackedBlock& out);

}  // namespace sinew::deform
