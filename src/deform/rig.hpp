// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/maps.hpp"
#include "kernels/skin_simd.hpp"
#include "math/dimension.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"

namespace sinew::deform {

/// Rounds a map to float and measures it (Palette::MapSize). Returns false if a number does not fit or is not finite.
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

/// The nodes that the palettes of a scene need (parents first) and the bind matrices, prepared once. The results equal those of
/// world_transforms and palette up to double rounding (exactly without `simd`), but need less memory.
///
/// Each step from a pose to the vertices reads the table of the step before: `locals` (or ClipPlan::sample), `world`, `palette`, then
/// deform::run. The tables are the caller's, made by `table`: the identity, then one map per step, in the layout of the kernels.
class Rig {
 public:
  using Worlds = std::shared_ptr<const std::vector<Affine>>;  ///< of all nodes

  /// `simd`: used in three dimensions; may be null. `rest_world`: the model's rest pose, if several rigs share it.
  Rig(const Model& model, std::span<const Instance> instances, const kernels::SimdKernel* simd, Worlds rest_world = {});

  /// Returns memory for the maps of all steps, with room for whole JointKeys.
  [[nodiscard]] AlignedVector<double> table() const;
  /// Returns the maps of a table, after the identity.
  [[nodiscard]] std::span<double> maps(std::span<double> table) const { return table.subspan(kernels::map_stride(model_->dimension)); }
  /// Returns a plan that computes local maps from a clip, if there is a kernel for that; otherwise null.
  [[nodiscard]] std::shared_ptr<const animate::ClipPlan> plan(const Clip& clip) const;
  /// Computes the local maps. The pose counts as it is: without the constraints of nodes.
  void locals(const Pose& pose, std::span<double> out) const;
  /// Computes the world transforms.
  void world(std::span<const double> locals, std::span<double> out) const;
  /// Computes the palette of an instance. Refuses what deform::palette refuses. `locals`: empty where only world transforms are known.
  [[nodiscard]] Result<> palette(std::size_t instance, std::span<const double> locals, std::span<const double> world, Palette& out) const;

  /// Does the same without a rig: deform::palette.
  [[nodiscard]] static Result<> fill(const Model& model, const Instance& instance, std::span<const Affine> world,
                                     std::span<const Affine> rest_world, Palette& out);

  [[nodiscard]] std::span<const Affine> rest_world() const { return *rest_world_; }

  static constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);
  struct Step {
    Index node;
    std::uint32_t parent;  ///< step of the parent, or nowhere
  };
  /// world_from_mesh of a slot: the map of step `place` times bind matrix `bind` (nowhere: none).
  struct Slot {
    std::uint32_t place, bind;
  };
  struct Bound {
    std::vector<Slot> slots;                 ///< with a last one for the mesh's node
    std::vector<kernels::MapPair> products;  ///< the same, as indices in tables that start with the identity (`nowhere` + 1)
    std::vector<std::uint32_t> still;        ///< steps that must have their stored map; otherwise deform::palette is used
    bool always_asked = false;               ///< always use deform::palette
  };
  /// Returns the needed nodes, parents first.
  [[nodiscard]] std::span<const Step> steps() const { return steps_; }
  [[nodiscard]] const Bound& bound(std::size_t instance) const { return bound_[instance]; }
  /// Returns the step of a node, or nowhere.
  [[nodiscard]] std::uint32_t place(Index node) const {
    const auto found = place_.find(node);
    return found == place_.end() ? nowhere : found->second;
  }
  /// Returns a bind matrix; nowhere: the identity.
  [[nodiscard]] Affine bind_matrix(std::uint32_t number) const {
    return kernels::affine_at(model_->dimension, &binds_[(number + 1) * kernels::map_stride(model_->dimension)]);
  }

 private:
  /// The tables of a palette.
  struct Room {
    double* exact;
    float* columns;
    std::array<double, 2>* sizes;
  };
  /// Gives a palette room for maps. Numbers that pad columns and maps are 0, others are as they were.
  static Room room(Palette& out, std::size_t dimension, std::size_t maps);
  std::uint32_t add(Index node);
  [[nodiscard]] bool moved(std::uint32_t step, std::span<const double> locals) const;
  [[nodiscard]] std::vector<Affine> affine_worlds(std::span<const double> world) const;
  [[nodiscard]] Bound bind(const Instance& instance);
  void multiply(const double* left, const double* right, std::span<const kernels::MapPair> pairs, double* out) const;

  const Model* model_;
  const kernels::SimdKernel* simd_;
  std::vector<Instance> instances_;
  Worlds rest_world_;
  std::unordered_map<Index, std::uint32_t> place_;  ///< the step of each needed node: one model may have a rig for each of many instances
  std::vector<Step> steps_;
  std::vector<kernels::MapPair> products_;  ///< by step, like Bound::products
  std::vector<Bound> bound_;
  AlignedVector<double> binds_;        ///< after the identity
  AlignedVector<double> rest_locals_;  ///< of the stored pose; empty if no instance has steps that must be still
};

}  // namespace sinew::deform
