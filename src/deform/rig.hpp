// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "kernels/maps.hpp"
#include "kernels/skin_simd.hpp"
#include "math/dimension.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew::deform {

/// Rounds a map to float and measures it (Palette::MapSize). False where a number does not fit, or is none.
template <class D>
bool finish_map(D n, const double* exact, float* columns, std::array<double, 2>& size) {
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
/// world_transforms and palette give, to rounding in double precision (without `simd` bit by bit), without their memory.
class Rig {
 public:
  /// `simd`: used in three dimensions; may be null.
  Rig(const Model& model, std::span<const Instance> instances, const kernels::SimdKernel* simd);

  /// World transforms of all nodes that matter, as the kernels' maps: behind the identity one for each step.
  void pose(const Pose& pose, AlignedVector<double>& maps) const;
  /// The same in two: where the local map of the first step goes (with room for JointKeys::joints at a time), and then all products.
  [[nodiscard]] double* locals(AlignedVector<double>& maps) const;
  void join(AlignedVector<double>& maps) const;
  [[nodiscard]] Result<> palette(std::size_t instance, const Pose& pose, const AlignedVector<double>& maps, Palette& out) const {
    return palette(instance, [&]() -> const Pose& { return pose; }, maps, out);
  }
  /// What fills local maps from a clip, if there is a kernel for that.
  [[nodiscard]] std::shared_ptr<const animate::ClipPlan> plan(const Clip& clip) const;
  /// The palette of an instance, from what `pose` left. Refuses what deform::palette refuses. Asks for the pose where that must judge; an
  /// empty function: `maps` alone are the pose.
  [[nodiscard]] Result<> palette(std::size_t instance, const std::function<const Pose&()>& pose, const AlignedVector<double>& maps,
                                 Palette& out) const;

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
    std::vector<Slot> slots;                 ///< and one more, for the mesh's node
    std::vector<kernels::MapPair> products;  ///< the same as places behind the identity, which is what `nowhere` + 1 is
    std::vector<Index> still;                ///< nodes whose own transform has to be as stored; otherwise deform::palette is asked
    bool always_asked = false;               ///< the same, whatever the pose
  };
  /// The nodes that matter, parents first.
  [[nodiscard]] std::span<const Step> steps() const { return steps_; }
  [[nodiscard]] const Bound& bound(std::size_t instance) const { return bound_[instance]; }
  /// The place of a node among the steps, or nowhere.
  [[nodiscard]] std::uint32_t place(Index node) const { return node < place_.size() ? place_[node] : nowhere; }
  /// The bind matrix with that number; nowhere: the identity.
  [[nodiscard]] Affine bind_matrix(std::uint32_t number) const {
    return kernels::affine_at(model_->dimension, &binds_[(number + 1) * kernels::map_stride(model_->dimension)]);
  }

 private:
  std::uint32_t add(Index node);
  [[nodiscard]] std::vector<Affine> worlds_of(const AlignedVector<double>& maps) const;
  [[nodiscard]] Bound bind(const Instance& instance);
  void multiply(const double* left, const double* right, std::span<const kernels::MapPair> pairs, double* out) const;

  const Model* model_;
  const kernels::SimdKernel* simd_;
  std::vector<Instance> instances_;
  std::vector<Affine> rest_world_;
  std::vector<std::uint32_t> place_;  ///< of every node
  std::vector<Step> steps_;
  std::vector<kernels::MapPair> products_;  ///< of each step, as Bound::products
  std::vector<Bound> bound_;
  AlignedVector<double> binds_;  ///< behind the identity
};

}  // namespace sinew::deform
