// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::validate {

/// Boxes along the axes, one per joint slot, around the vertices that the slot moves.
class SlotBoxes {
 public:
  explicit SlotBoxes(std::size_t dimension) : dimension_(dimension) {}

  void add(std::size_t slot, const float* point);
  void add(const SlotBoxes& other);
  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::size_t size() const { return used_.size(); }
  /// Whether the slot moves anything, also where vertices have no place.
  [[nodiscard]] bool used(std::size_t slot) const { return slot < used_.size() && used_[slot] != 0; }
  [[nodiscard]] bool has_box(std::size_t slot) const { return slot < used_.size() && used_[slot] == boxed; }
  [[nodiscard]] std::span<const float> low(std::size_t slot) const { return {low_.data() + slot * dimension_, dimension_}; }
  [[nodiscard]] std::span<const float> high(std::size_t slot) const { return {high_.data() + slot * dimension_, dimension_}; }

 private:
  static constexpr unsigned char placeless = 1, boxed = 2;
  void grow(std::size_t slots);

  std::size_t dimension_;
  std::vector<unsigned char> used_;
  std::vector<float> low_, high_;
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
};

/// Passes over a mesh's positions and influences once. Influences count where their weight is not 0.
struct InfluenceScan {
  SlotBoxes slots;
  SlotBoxes whole;                      ///< one slot: all vertices
  std::vector<BlockInfluences> blocks;  ///< one per vertex block
};
[[nodiscard]] InfluenceScan scan_influences(const Mesh& mesh, std::size_t dimension);

}  // namespace sinew::validate
