// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "deform/rig.hpp"

#include "sinew/deform.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// The joints of a scene as columns of one weight matrix: a vertex at v is Σ weight · world · bind · v. A node that two skins bind
/// differently has two columns. An unskinned mesh follows its node, bound by the identity.
/// The joints of skins and skeletons without a mesh follow: rigs and motions are also shipped alone.
class RigColumns {
 public:
  struct Column {
    Index node = none;            ///< none: the world
    Affine bind;                  ///< joint_from_mesh
    std::size_t parent = npos;    ///< the column of the nearest ancestor that has one
    std::size_t instance = npos;  ///< the column is one slot of this instance alone: its world is the palette, bound by the identity
    std::size_t slot = 0;
  };
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  /// Keeps references.
  RigColumns(const Model& model, const deform::SceneDeformer& deformer);

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  /// Returns the column of a palette slot of an instance. Precondition: the slot names a joint, or a vertex uses it.
  [[nodiscard]] std::size_t of_slot(std::size_t instance, std::size_t slot) const { return slots_[instance][slot]; }
  /// Computes the world transform of each column at a pose. Fails like deform::palette.
  [[nodiscard]] Result<std::vector<Affine>> worlds(const Pose& pose) const;

 private:
  void add_unused_skins();
  void add_instance(std::size_t instance, const deform::Rig& rig, bool follows_node);
  std::size_t add(const Column& column);
  [[nodiscard]] bool moves_alone(const deform::Rig& rig, const deform::Rig::Bound& bound) const;
  void find_parents();

  const Model& model_;
  const std::vector<Instance>& instances_;
  std::vector<Affine> rest_world_;
  std::vector<Column> columns_;
  std::vector<std::vector<std::size_t>> slots_;  ///< by instance
  std::map<std::pair<Index, std::vector<double>>, std::size_t> known_;
};

}  // namespace sinew::operations
