// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <vector>

#include "deform/blend.hpp"
#include "deform/packed.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {

/// Reads a packed mesh vertex by vertex.
class PackedMesh {
 public:
  /// `base`: the amounts of blend shapes that positions include.
  explicit PackedMesh(const deform::Prepared& prepared, std::span<const double> base = {}) : packed_(prepared.packed()) {
    for (const deform::PackedBlock& block : packed_.blocks) {
      const auto& list = block.positions.offsets;
      ascending_ &= std::ranges::adjacent_find(list, std::ranges::greater_equal(), &deform::PackedOffsets::shape) == list.end();
    }
    if (std::ranges::all_of(base, [](double amount) { return amount == 0; })) return;
    positions_.resize(prepared.vertices() * packed_.dimension);
    for (const deform::PackedBlock& block : packed_.blocks) {
      if (block.positions.empty()) continue;
      float* const rows = positions_.data() + block.first * packed_.dimension;
      std::copy_n(deform::blended(block.positions, base, 0, block.vertices, rows), block.vertices * packed_.dimension, rows);
    }
  }

  struct Vertex {
    const deform::PackedBlock* block;
    std::uint32_t row;
  };
  [[nodiscard]] Vertex vertex(std::size_t row) const {
    const auto after = std::ranges::upper_bound(packed_.blocks, row, {}, &deform::PackedBlock::first);
    const deform::PackedBlock& block = *std::prev(after);
    return {&block, static_cast<std::uint32_t>(row - block.first)};
  }
  [[nodiscard]] const float* position(Vertex v) const {
    if (v.block->positions.empty()) return nullptr;
    return positions_.empty() ? &v.block->positions.values[v.row * packed_.dimension]
                              : &positions_[(v.block->first + v.row) * packed_.dimension];
  }
  /// Returns nullptr if the shape does not move the vertex.
  [[nodiscard]] const float* offset(Vertex v, Index shape) const {
    const auto& list = v.block->positions.offsets;
    const auto found = ascending_ ? std::ranges::lower_bound(list, shape, {}, &deform::PackedOffsets::shape)
                                  : std::ranges::find(list, shape, &deform::PackedOffsets::shape);
    if (found == list.end() || found->shape != shape) return nullptr;
    if (!found->sparse) return &found->values[v.row * packed_.dimension];
    const auto at = std::ranges::lower_bound(found->rows, v.row);
    if (at == found->rows.end() || *at != v.row) return nullptr;
    return &found->values[static_cast<std::size_t>(at - found->rows.begin()) * packed_.dimension];
  }
  /// Calls use(slot, weight) for each influence.
  template <class Use>
  void for_each_influence(Vertex v, Use use) const {
    if (!v.block->skinned) return use(packed_.slots, 1.0);
    for (std::uint32_t i = v.block->row_first[v.row]; i < v.block->row_first[v.row + 1]; ++i)
      use(v.block->slot[i], static_cast<double>(v.block->weight[i]));
  }

 private:
  const deform::Prepared::Packed& packed_;
  std::vector<float> positions_;  ///< empty: as stored
  bool ascending_ = true;         ///< the offsets of each block have ascending shapes
};

}  // namespace sinew::operations
