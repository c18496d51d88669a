// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/skin.hpp"

namespace sinew::kernels {

/// Influences as the SIMD kernels read them, made once: tiles of 16 vertices with equally many influences each (rows that are shorter than
/// the longest of their tile end in weights of 0), so that nothing branches on a vertex. Where the lengths of neighbours differ so much
/// that this would cost more than moving vertices about, those of a block of 512 are taken in the order of their lengths: at random
/// lengths, a loop over each vertex's own takes four to five times as long, most of it for branches that were predicted wrongly.
struct InfluenceTiles {
  static constexpr std::size_t tile = 16;
  static constexpr std::size_t block = 512;

  /// Tiles one after the other with as many influences: entry `begin + r * influences + i` is influence i of row r. A row much longer
  /// than those beside it is a run of its own (rows = 1) that stands for a whole tile of equal rows; the next run writes over what it
  /// leaves behind its first result.
  struct Run {
    std::size_t begin = 0;
    std::uint32_t influences = 0;
    std::uint16_t first = 0;  ///< the first row, as a place in the block's order
    std::uint16_t rows = 0;   ///< whole tiles, the last one of a block padded with rows of one influence; or 1
    bool same = false;        ///< all rows are the one row of entries from `begin` on
  };
  struct Block {
    std::size_t first_run = 0;
    bool in_order = true;  ///< and all its runs are whole tiles
  };

  std::vector<Block> blocks;  ///< one more at the end
  std::vector<Run> runs;
  std::vector<std::uint16_t> order;   ///< for every vertex: the place in its block of the vertex that comes there; empty: all in order
  std::vector<std::uint16_t> places;  ///< the other way round: for every vertex of a block its place in the order
  // Where a slot's map lies, in units of 8 bytes; one of them is used: the wide ones for tables of more than half a megabyte. Room for
  // a few more numbers is kept behind the last.
  std::vector<std::uint16_t> narrow;
  std::vector<std::uint32_t> wide;
  std::vector<float> weights;

  /// Rows of a channel in the order of the tiles, the last tile padded with ones; nothing where that is their own order.
  [[nodiscard]] std::vector<float> in_order(std::span<const float> rows, std::size_t width) const;

  /// For tables of maps in that dimension; slots in `rows` are below `slots`.
  static InfluenceTiles make(const InfluenceRows& rows, std::size_t vertices, std::size_t dimension, std::size_t slots);
};

}  // namespace sinew::kernels
