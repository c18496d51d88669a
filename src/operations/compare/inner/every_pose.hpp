// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "deform/packed.hpp"
#include "operations/compare/compare_vertices.hpp"
#include "operations/compare/inner/turn_bound.hpp"
#include "operations/compare/joint_tree.hpp"
#include "operations/compare/packed_mesh.hpp"

#include "sinew/compare.hpp"
#include "sinew/deform.hpp"

namespace sinew::operations {

/// One side of a pair of instances.
struct PosedMesh {
  const Model& model;
  const Instance& instance;
  const deform::Prepared& prepared;
  std::span<const Affine> rest_world;
  std::vector<double> base_amounts;  ///< of blend shapes: those from which poses count
};

/// The corresponding vertices and blend shapes of two meshes.
struct PairedMesh {
  std::span<const RowPair> rows;
  const std::vector<bool>& left_out;  ///< by pair of rows; empty: none
  std::span<const std::pair<Index, Index>> shapes;
};

/// The map of a joint slot: world_from_mesh = world_from_joint · joint_from_mesh in every pose. The joint is the nearest one of the tree.
struct SlotMap {
  Index node = none;  ///< of the slot; none: the world
  Follower to;        ///< joint_from_mesh
  Affine node_from_mesh;
};

/// Proves a bound for all poses of a pair of instances (docs/compare.md has the theorem).
class PoseProof {
 public:
  /// Keeps references.
  PoseProof(const PosedMesh& a, const PosedMesh& b, const PairedMesh& pairs, JointTree& tree);

  /// Gives the tree how far vertices reach. Before JointTree::set_measures, for all pairs.
  void add_reaches();
  /// After JointTree::set_measures.
  [[nodiscard]] EveryPose run(unsigned threads);
  /// Returns the node of A whose coefficients for two vertices differ most; none: they are equal for all joints.
  [[nodiscard]] Index most_different_joint(const RowPair& rows) const;

 private:
  [[nodiscard]] std::string obstacle();
  [[nodiscard]] static std::string alone(const PosedMesh& mesh, Index node, std::string_view file);
  template <class D>
  using Bound = typename TurnBound<D>::Result;
  template <class D>
  void run_rows(D n, std::size_t first, std::size_t last, double& bound, double& difference) const;
  template <class D>
  [[nodiscard]] Bound<D> bound_of(const RowPair& rows, TurnBound<D>& turns) const;
  /// Of vectors that the joints of two vertices move. The sums of `turns` are those of nothing yet.
  template <class D>
  [[nodiscard]] Bound<D> bound_of(TurnBound<D>& turns, PackedMesh::Vertex a, const float* of_a, PackedMesh::Vertex b, const float* of_b,
                                  bool offset) const;
  [[nodiscard]] double difference_at_own(PackedMesh::Vertex a, const float* of_a, PackedMesh::Vertex b, const float* of_b) const;
  template <class D>
  void add(TurnBound<D>& turns, PackedMesh::Vertex a, const float* of_a, PackedMesh::Vertex b, const float* of_b, bool offset) const;

  PosedMesh a_, b_;
  PackedMesh mesh_a_, mesh_b_;
  PairedMesh pairs_;
  JointTree& tree_;
  std::vector<SlotMap> maps_a_, maps_b_;
  bool bounded_ = true, follow_own_ = false;  ///< set by `obstacle`
};

}  // namespace sinew::operations
