// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// Where each joint slot puts the vertices of one mesh, in the poses that compare measures: at rest, in all clips, in stress poses and with
/// each blend shape. Very many times of clips are thinned out evenly.
class InfluenceMotion {
 public:
  /// `vertices`: how many vertices will be asked for; the more, the fewer poses.
  InfluenceMotion(const Model& model, Index mesh, std::size_t vertices);

  /// Returns whether a node draws the mesh with a skin that can be posed. Otherwise influences move nothing.
  [[nodiscard]] bool skinned() const { return !instances_.empty(); }
  /// Returns the number of slots that every skin of the mesh has.
  [[nodiscard]] std::size_t slots() const;

  /// Returns whether any pose gives one of the slots a size. Where none does (a prop below a joint of scale 0), the poses say nothing of
  /// how far influences move a vertex once a scale is set.
  [[nodiscard]] bool shows(std::span<const std::uint32_t> slots) const;

  /// The positions of a block with the offsets of its shapes.
  class Block {
   public:
    Block(const InfluenceMotion& motion, const VertexBlock& block);
    /// Returns, for each pose and each slot, the place to which the slot's joint alone moves a vertex: N numbers each.
    [[nodiscard]] std::vector<double> places(std::size_t vertex, std::span<const std::uint32_t> slots) const;

   private:
    const InfluenceMotion& motion_;
    std::vector<double> positions_;
    std::vector<std::uint32_t> rows_;                            ///< of the vertices; empty: row i belongs to vertex i
    std::vector<std::pair<Index, std::vector<float>>> offsets_;  ///< by shape; a row per vertex
  };

 private:
  struct Posed {
    Index node;
    std::size_t slots;
    std::vector<double> maps;                  ///< pose, slot: N + 1 columns of N numbers
    std::vector<std::vector<double>> amounts;  ///< by pose; only with shapes
  };
  void add(const Pose& pose);

  const Model& model_;
  std::vector<Affine> rest_world_;
  std::vector<Posed> instances_;
  std::vector<bool> shown_;  ///< by slot
  std::size_t poses_ = 0;
  bool shaped_ = false;
};

}  // namespace sinew::operations
