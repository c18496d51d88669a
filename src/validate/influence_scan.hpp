// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "model/scan_memo.hpp"

#include "sinew/model.hpp"

namespace sinew::validate {

/// Axis-aligned boxes, one per joint slot, around the vertices that the slot moves.
class SlotBoxes {
 public:
  explicit SlotBoxes(std::size_t dimension) : dimension_(dimension), stride_((dimension + 3) / 4 * 4) {}

  /// `add` also reads (and ignores) this many numbers after the last point, so arrays of points need that much space at the end.
  static constexpr std::size_t slack = 4;
  /// Adds points that follow each other.
  void add(std::size_t slot, const float* points, std::size_t count);
  /// Adds box `from` of the other. If it has none, marks the slot as moving vertices without a position.
  void add(std::size_t slot, const SlotBoxes& other, std::size_t from);
  void add(const SlotBoxes& other);
  /// Grows to this number of slots; new ones are empty.
  void grow(std::size_t slots);
  /// Empties an existing slot.
  void clear(std::size_t slot);

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::size_t size() const { return touched_.size(); }
  /// Returns whether the slot moves anything, including vertices without a position.
  [[nodiscard]] bool used(std::size_t slot) const { return slot < size() && (touched_[slot] != 0 || has_box(slot)); }
  /// In no dimensions there are no boxes.
  [[nodiscard]] bool has_box(std::size_t slot) const { return slot < size() && dimension_ > 0 && low(slot)[0] <= high(slot)[0]; }
  [[nodiscard]] std::span<const float> low(std::size_t slot) const { return {boxes_.data() + slot * 2 * stride_, dimension_}; }
  [[nodiscard]] std::span<const float> high(std::size_t slot) const { return {boxes_.data() + (slot * 2 + 1) * stride_, dimension_}; }

 private:
  std::size_t dimension_;
  std::size_t stride_;                  // numbers of a corner, the last ones unused
  std::vector<float> boxes_;            // low and high corner of each slot
  std::vector<unsigned char> touched_;  // by slot: moves vertices without a position
};

/// The limit of influences per vertex in many engines (glTF requires only the first set of four).
inline constexpr std::size_t usual_influences = 4;

/// Statistics about the influences of one vertex block.
struct BlockInfluences {
  std::size_t vertices = 0;
  std::size_t weightless = 0;        ///< vertices without a weight above 0
  std::size_t first_weightless = 0;  ///< the first of them
  std::size_t many = 0;              ///< vertices with more than usual_influences
  std::size_t most = 0;              ///< influences of one vertex

  /// Adds those of other vertices of the block.
  void add(const BlockInfluences& other);
};

/// Visits the positions and influences of a mesh once. Influences of weight 0 are ignored.
struct InfluenceScan {
  SlotBoxes slots;
  SlotBoxes whole;                      ///< one slot with all vertices
  std::vector<BlockInfluences> blocks;  ///< one per vertex block
};
using InfluenceScans = ScanMemo<InfluenceScan>;
/// `scans`: by the arrays of a block, which blocks of glTF may share.
[[nodiscard]] InfluenceScan scan_influences(const Mesh& mesh, std::size_t dimension, InfluenceScans& scans);

}  // namespace sinew::validate
