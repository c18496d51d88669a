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

/// The offsets of one blend shape for one channel: for every row of the block, or for `rows` in ascending order.
struct PackedOffsets {
  Index shape = 0;
  bool sparse = false;
  List<std::uint32_t> rows;
  List<float> values;

  /// Consecutive rows: entries [begin, begin + count) move the vertices from `row` on, all in one block of the kernels.
  struct Stretch {
    std::uint32_t row = 0, begin = 0, count = 0;
  };
  // For the SIMD kernel, the contents of each of its blocks (with an end): stretches, or entries if stretches would be short.
  List<Stretch> stretches{};
  List<std::uint32_t> block_first{};
};

/// Packed rows of one attribute; empty: the block lacks it or it was not requested. Tangents have width 4, their offsets a w of 0.
struct PackedChannel {
  std::size_t width = 0;
  List<float> values;
  std::vector<PackedOffsets> offsets;
  List<float> in_tiles{};  ///< `values` in the order of the SIMD kernel's tiles, if that differs

  [[nodiscard]] bool empty() const { return values.empty(); }
};

struct PackedBlock {
  std::size_t first = 0;  ///< index of its first vertex over all blocks
  std::size_t vertices = 0;
  PackedChannel positions, normals, tangents;
  bool skinned = false;  ///< false: the palette's last map moves the whole block
  List<std::uint32_t> row_first;
  List<std::uint32_t> slot;
  List<float> weight;
  /// Empty, or `weight` in double, because weights of some vertex cancel. Its first influence by a slot has the sum of all of them.
  List<double> exact_weight;
  kernels::InfluenceTiles tiles;  ///< the influences for the SIMD kernel, if there is one

  [[nodiscard]] kernels::InfluenceRows influences() const {
    return {row_first.data(), slot.data(), weight.data(), exact_weight.empty() ? nullptr : exact_weight.data()};
  }
};

/// The corners of a surface, or of its topology's boundary items.
struct PackedCorners {
  std::size_t first = 0;  ///< index of its first corner over all surfaces
  std::size_t count = 0;
  std::size_t block = 0;
  List<std::uint32_t> vertex;       ///< by corner, in the block; empty: corners were not requested
  PackedChannel normals;            ///< one row per corner; empty: flat
  kernels::InfluenceTiles tiles{};  ///< the influences of each corner's vertex, for the SIMD kernel, if there is one
  bool some_vanish = false;         ///< some stored normals have no direction

  // Instead of tiles in 4 to 8 dimensions, where corners share skinned vertices: each page of corners needs few cofactor matrices.
  static constexpr std::size_t page = 1024, most_vertices = page / 2;
  List<std::uint32_t> page_vertices{};  ///< of each page, each once
  List<std::size_t> page_first{0};      ///< by page: its first entry, with an end
  List<std::uint16_t> places{};         ///< by corner: where the matrix of its vertex is, in units of 8 bytes; empty: no pages
  bool on_flat = false;                 ///< the normals are only offsets, added to the flat ones before skinning

  // Cells have the flat normals. Simplexes define their own orientation.
  std::size_t simplex_corners = 0;   ///< 0: the corners are not of simplexes with a normal
  List<std::size_t> cell_first;      ///< topology: the first corner of each boundary item
  List<std::size_t> facing_first{};  ///< by boundary item: its first entry in `facing`, with an end
  List<std::uint32_t> facing{};      ///< the N vertices that orient each item, or none

  /// The vertices that orient a corner's cell, and the index of the cell.
  struct Cell {
    std::size_t number = 0;
    std::span<const std::uint32_t> facing;
  };
  [[nodiscard]] Cell cell(std::size_t corner) const;
};

/// What sums in float lose below the smallest number of float, in a mesh that does not cancel(): at most `position`, and `blend` times the
/// size of the map. Both are absolute.
struct Underflow {
  double position = 0, blend = 0;
};

struct Prepared::Packed {
  std::size_t dimension = 0;
  std::size_t vertices = 0;
  std::size_t work = 0;  ///< for threads_for: as many skinned vertices take as long
  std::size_t shapes = 0;
  std::size_t slots = 0;  ///< of the palettes; also the index of the node's own map
  bool normals = false;
  bool tangents = false;
  const kernels::SimdKernel* simd = nullptr;  ///< for float and supported dimensions; null: plain
  std::vector<PackedBlock> blocks;
  std::vector<PackedCorners> corners;  ///< one per surface
  std::vector<PackedCorners> topology_corners;
  List<std::uint32_t> order;  ///< Prepared::order
  bool corner_normals = false;
  bool topology_normals = false;
  std::vector<std::uint32_t> used_slots;  ///< ascending, including the node's map if it is used
  std::vector<double> used_weights;       ///< by used slot: the largest absolute value of its weights; 0: only noise
  double reach = 0;                       ///< no coordinate of a vertex, or of a vertex plus one offset, has a larger absolute value
  double extent = 0;                      ///< longest side of the bounding box of the vertices
  std::vector<double> shape_reach;        ///< by blend shape: the largest absolute value of a coordinate of its offsets
  std::uint32_t most_influences = 1;      ///< of a vertex
  double largest_sum = 0;                 ///< of a vertex's weights, as an absolute value
  double most_in_float = 0;               ///< the largest sum of the absolute values of a vertex's weights as floats
  /// The vertex with the largest sum of the absolute values of weights as in double precision.
  struct Heaviest {
    double size = 0;  ///< that sum
    double sum = 0;   ///< the sum of the weights themselves
    std::size_t block = 0, vertex = 0;
  } heaviest;

  /// Weights of both signs cancel, so that float sums are too inexact: the kernels always run in double.
  [[nodiscard]] bool cancels() const { return most_in_float > 2.5 * largest_sum; }
};

/// A unit of work for threads: whole blocks of the kernels.
constexpr std::size_t grain = 2 * kernels::InfluenceTiles::block;
/// Returns the threads to use: few skinned vertices are done before another thread has started.
[[nodiscard]] constexpr unsigned threads_for(std::size_t vertices, unsigned threads) { return vertices < 8 * grain ? 1 : threads; }

using kernels::rows_of;

/// Packs the rows of an attribute, `width` numbers each. Repeats values that several of the `rows` vertices or corners share.
[[nodiscard]] PackedChannel pack_channel(const Attribute& attribute, std::size_t rows, std::size_t width);
/// Finds the stretches of sparse offsets.
void find_stretches(PackedChannel& channel, std::size_t rows);
/// Where a channel is not finite.
struct NotFinite {
  std::string part;  ///< `what`, or "what offset by blend shape n"
  std::size_t row;
};
[[nodiscard]] std::optional<NotFinite> not_finite(const PackedChannel& channel, std::string_view what);

/// Measures the vertices, weights and offsets for these (precision.cpp).
void measure(Prepared::Packed& packed);
/// Returns whether float arithmetic would lose more than some millionths of the result's size.
[[nodiscard]] bool needs_double(const Prepared::Packed& packed, const Palette& palette, std::span<const double> amounts);
/// Returns whether double arithmetic may lose more than 1e-5 of the result's size, because large weights cancel.
[[nodiscard]] bool too_inexact(const Prepared::Packed& packed, const Palette& palette);
/// The least share of the size of the result that float may lose by underflow before `needs_double` holds.
constexpr double most_underflow = 0x1p-20;
/// Returns what float sums may lose by underflow, if a coordinate, with blend shapes, is at most `reach` and shapes are blended.
[[nodiscard]] Underflow underflow(const Prepared::Packed& packed, double reach);
/// Returns how much larger than the mesh the sum of `shapes` offsets, as absolute values, may be in float.
[[nodiscard]] double most_blended(std::size_t shapes);

/// Packs the influences of `rows` vertices for the SIMD kernels. Row i is that of vertex[i] of the block; empty: of vertex i.
[[nodiscard]] kernels::InfluenceTiles tiles_of(const PackedBlock& block, std::size_t rows, std::span<const std::uint32_t> vertex,
                                               const Prepared::Packed& packed);

/// Packs the corners of all surfaces and their normals, if requested (corners.cpp).
[[nodiscard]] Result<> pack_corners(const Mesh& mesh, const PrepareOptions& options, Prepared::Packed& out);

/// Packs the effective influences of a block as compressed rows (influences.cpp).
[[nodiscard]] Result<> pack_influences(const Mesh& mesh, std::size_t block, const PrepareOptions& options, PackedBlock& out);

}  // namespace sinew::deform
