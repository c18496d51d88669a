// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kernels/maps.hpp"
#include "math/dimension.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew::deform {

/// Rounds a map to float and measures it. False where a number does not fit, or is none.
template <class D>
bool finish_map(D n, const double* exact, float* columns, Palette::MapSize& size) {
  constexpr std::size_t room = kernels::column_stride(capacity_of<D>);
  const std::size_t stride = kernels::column_stride(n);
  std::array<double, room> rows{}, moved{};
  bool fits = true;
  for (std::size_t j = 0; j <= n; ++j)
    for (std::size_t i = 0; i < stride; ++i) {
      const double value = exact[j * stride + i], magnitude = std::abs(value);
      columns[j * stride + i] = static_cast<float>(value);
      fits &= magnitude <= std::numeric_limits<float>::max();
      (j < n ? rows : moved)[i] += magnitude;
    }
  size = {*std::max_element(rows.begin(), rows.begin() + stride), *std::max_element(moved.begin(), moved.begin() + stride)};
  return fits;
}

/// What the palettes of a scene need of its nodes, made once: the nodes that matter, parents first, and the bind matrices. Gives what
/// world_transforms and palette give, bit by bit, without their memory.
class Rig {
 public:
  Rig(const Model& model, std::span<const Instance> instances);

  /// World transforms of all nodes that matter, as the kernels' maps, into `world`.
  void pose(const Pose& pose, AlignedVector<double>& world) const;
  /// The palette of an instance, from what `pose` left. Refuses what deform::palette refuses.
  [[nodiscard]] Result<> palette(std::size_t instance, const Pose& pose, const AlignedVector<double>& world, Palette& out) const;

  [[nodiscard]] std::span<const Affine> rest_world() const { return rest_world_; }

  static constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);
  struct Step {
    Index node;
    std::uint32_t parent;  ///< its place among the steps, or nowhere
  };
  /// world_from_mesh of a slot: the map of the node at `place` (nowhere: none) times the bind matrix with that number (nowhere: none).
  struct Slot {
    std::uint32_t place, bind;
  };
  struct Bound {
    std::vector<Slot> slots;    ///< and one more, for the mesh's node
    std::vector<Index> still;   ///< nodes whose own transform has to be as stored; otherwise deform::palette is asked
    bool always_asked = false;  ///< the same, whatever the pose
  };
  /// The nodes that matter, parents first.
  [[nodiscard]] std::span<const Step> steps() const { return steps_; }
  [[nodiscard]] const Bound& bound(std::size_t instance) const { return bound_[instance]; }
  /// The place of a node among the steps, or nowhere.
  [[nodiscard]] std::uint32_t place(Index node) const { return node < place_.size() ? place_[node] : nowhere; }
  /// The bind matrix with that number; nowhere: the identity.
  [[nodiscard]] Affine bind_matrix(std::uint32_t number) const;

 private:
  std::uint32_t add(Index node);
  [[nodiscard]] Bound bind(const Instance& instance);

  const Model* model_;
  std::vector<Instance> instances_;
  std::vector<Affine> rest_world_;
  std::vector<std::uint32_t> place_;  ///< of every node
  std::vector<Step> steps_;
  std::vector<Bound> bound_;
  AlignedVector<double> binds_;
};

}  // namespace sinew::deform
