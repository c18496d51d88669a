// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/skin.hpp"

#include "sinew/deform.hpp"

namespace sinew::deform {

/// One blend shape's offsets of one channel: for every row of the block, or for `rows` in ascending order.
struct PackedOffsets {
  Index shape = 0;
  bool sparse = false;
  std::vector<std::uint32_t> rows;
  std::vector<float> values;
};

/// Packed rows of one attribute; no rows: the block lacks it or it was not asked for. Tangents have width 4, their offsets a zero w.
struct PackedChannel {
  std::size_t width = 0;
  std::vector<float> values;
  std::vector<PackedOffsets> offsets;

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

  [[nodiscard]] kernels::InfluenceRows influences() const { return {row_first.data(), slot.data(), weight.data()}; }
};

struct Prepared::Packed {
  std::size_t dimension = 0;
  std::size_t vertices = 0;
  std::size_t shapes = 0;
  std::size_t slots = 0;  ///< of the palettes: the node's own map has this index
  bool normals = false;
  bool tangents = false;
  std::string_view kernel;
  std::vector<PackedBlock> blocks;
  std::vector<std::uint32_t> used_slots;  ///< ascending, the node's map included where it is used
  double reach = 0;                       ///< no coordinate of a vertex (or vertex plus one offset) is farther from 0
  double extent = 0;                      ///< the longest side of the box around the vertices
};

/// Compressed rows of what counts of a block's influences (influences.cpp).
[[nodiscard]] Result<> pack_influences(const Mesh& mesh, std::size_t block, const PrepareOptions& options, PackedBlock& out);

}  // namespace sinew::deform
