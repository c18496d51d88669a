// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "kernels/skin.hpp"

namespace sinew::kernels {

/// Influences for the SIMD kernels, prepared once: tiles of 16 vertices with equally many influences each (shorter rows are padded with
/// weights of 0), so that no code branches per vertex. If the lengths of neighbours differ so much that padding costs more than reordering,
/// the vertices of a block of 512 are ordered by length. With random lengths, a loop over each vertex's own influences takes four to five
/// times as long, mostly for mispredicted branches.
struct InfluenceTiles {
  static constexpr std::size_t tile = 16;
  static constexpr std::size_t block = 512;
  [[nodiscard]] static constexpr std::size_t in_whole_tiles(std::size_t rows) { return (rows + tile - 1) / tile * tile; }

  /// Consecutive tiles with equally many influences: entry `begin + r * influences + i` is influence i of row r. A row much longer than its
  /// neighbours is a separate run (rows = 1), computed as a whole tile of equal rows; the next run overwrites all results but the first.
  struct Run {
    std::size_t begin = 0;
    std::uint32_t influences = 0;
    std::uint32_t rows = 0;   ///< whole tiles, in the last one of a block padded with rows of one influence; or 1
    std::uint16_t first = 0;  ///< first row, in the block's order
    bool same = false;        ///< all rows equal the one row that starts at `begin`
  };
  struct Block {
    std::size_t first_run = 0;
    bool in_order = true;  ///< stored order, and all runs are whole tiles
  };

  List<Block> blocks;    ///< with an end
  bool one_map = false;  ///< all vertices have the influences of the first run's row
  List<Run> runs;
  List<std::uint16_t> order;   ///< by position in a block's order: the vertex in the block; empty: all blocks are in stored order
  List<std::uint16_t> places;  ///< the inverse: by vertex of a block, its position in the order
  // Positions of the slots' maps in units of 8 bytes. Only one of the lists is used: the wide one for tables of more than half a megabyte.
  // The lists have a few more numbers at the end.
  List<std::uint16_t> narrow;
  List<std::uint32_t> wide;
  List<float> weights;

  /// Returns rows of a channel in the order of the tiles, padded with ones; empty if that is the stored order.
  [[nodiscard]] List<float> in_order(std::span<const float> rows, std::size_t width) const;

  /// For tables of maps of that dimension. Precondition: slots in `rows` are below `slots`.
  static InfluenceTiles make(const InfluenceRows& rows, std::size_t vertices, std::size_t dimension, std::size_t slots);
};

}  // namespace sinew::kernels
