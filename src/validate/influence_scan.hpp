// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::validate {

/// Boxes along the axes, one per joint slot, around the vertices that the slot moves.
class SlotBoxes {
 public:
  explicit SlotBoxes(std::size_t dimension) : dimension_(dimension), stride_((dimension + 3) / 4 * 4) {}

  /// Numbers behind a point's own that `add` reads too (and does not use): rows of points need so much room at their end.
  static constexpr std::size_t slack = 4;
  void add(std::size_t slot, const float* point) {
    if (slot >= touched_.size()) grow(slot + 1);
    float* low = boxes_.data() + slot * 2 * stride_;
    if (stride_ == 4)
      extend<4>(low, point);
    else
      for (std::size_t c = 0; c < stride_; c += 4) extend<0>(low + c, point + c);
  }
  /// Box `from` of the other; where it has none, vertices without a place.
  void add(std::size_t slot, const SlotBoxes& other, std::size_t from);
  void add(const SlotBoxes& other);
  /// Makes slots up to this number, empty ones.
  void grow(std::size_t slots);
  /// Makes a slot empty that there is.
  void clear(std::size_t slot);

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::size_t size() const { return touched_.size(); }
  /// Whether the slot moves anything, also where vertices have no place.
  [[nodiscard]] bool used(std::size_t slot) const { return slot < size() && (touched_[slot] != 0 || has_box(slot)); }
  [[nodiscard]] bool has_box(std::size_t slot) const { return slot < size() && low(slot)[0] <= high(slot)[0]; }
  [[nodiscard]] std::span<const float> low(std::size_t slot) const { return {boxes_.data() + slot * 2 * stride_, dimension_}; }
  [[nodiscard]] std::span<const float> high(std::size_t slot) const { return {boxes_.data() + (slot * 2 + 1) * stride_, dimension_}; }

 private:
  // Four numbers at a time, which is one instruction; `fixed`: the stride, where it is known.
  template <std::size_t fixed>
  void extend(float* low, const float* point) const {
    extend_four(low, low + (fixed != 0 ? fixed : stride_), point);
  }
  // They do not overlap: said, because the compiler takes them one by one otherwise.
  static void extend_four(float* __restrict low, float* __restrict high, const float* __restrict point) {
    for (std::size_t c = 0; c < 4; ++c) low[c] = point[c] < low[c] ? point[c] : low[c];
    for (std::size_t c = 0; c < 4; ++c) high[c] = point[c] > high[c] ? point[c] : high[c];
  }

  std::size_t dimension_;
  std::size_t stride_;                  // numbers of a corner, the last ones unused
  std::vector<float> boxes_;            // low and high corner of each slot
  std::vector<unsigned char> touched_;  // by slot: moves vertices without a place
};

/// Many engines' limit of influences per vertex (glTF demands no more of readers than the first set of four).
inline constexpr std::size_t usual_influences = 4;

/// What the influences of one vertex block look like.
struct BlockInfluences {
  std::size_t vertices = 0;
  std::size_t weightless = 0;        ///< vertices without a weight above 0
  std::size_t first_weightless = 0;  ///< the first of them
  std::size_t many = 0;              ///< vertices with more than usual_influences
  std::size_t most = 0;              ///< influences of one vertex

  /// Those of other vertices of the block.
  void add(const BlockInfluences& other);
};

/// Passes over a mesh's positions and influences once. Influences count where their weight is not 0.
struct InfluenceScan {
  SlotBoxes slots;
  SlotBoxes whole;                      ///< one slot: all vertices
  std::vector<BlockInfluences> blocks;  ///< one per vertex block
};
[[nodiscard]] InfluenceScan scan_influences(const Mesh& mesh, std::size_t dimension);

}  // namespace sinew::validate
