// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "operations/compare/node_pairs.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {

/// An index in a JointTree: a joint, or the world.
using JointPlace = std::uint32_t;
inline constexpr JointPlace at_world = static_cast<JointPlace>(-1);

/// A joint that both models have. Its transform is a translation · a turn · `size`; poses change the turn. Nodes between it and its parent
/// joint do not move.
struct PairedJoint {
  Index a = none, b = none;            ///< the nodes
  JointPlace parent = at_world;        ///< the parent joint in both models; its index is lower
  bool connected = false;              ///< false: in B the parent joint, or an ancestor joint, is another one
  std::vector<double> at_a, at_b;      ///< the joint's origin in the space of the parent joint: N numbers
  std::vector<double> size_a, size_b;  ///< N², column-major
  double turn_difference = 0;          ///< of the turns at rest; this and the following are spectral norms or upper bounds of them
  double size_norm_a = 1, size_norm_b = 1, size_difference = 0;
  double fixed_norm_a = 1, fixed_norm_b = 1, fixed_difference = 0;  ///< of the nodes between
  double world_norm = 1;                                            ///< of world_from_joint in A, in any pose
};

/// How a node follows its nearest joint (or is a joint): joint_from_node, which no turn changes.
struct Follower {
  JointPlace joint = at_world;
  Affine joint_from_node;
};

/// The joints that both models have: nodes in a slot of a skin of either model, with a counterpart.
class JointTree {
 public:
  /// Keeps references to the models. `instances`: the pairs of a scene, whose skins define the joints.
  JointTree(const Model& a, const Model& b, std::span<const InstancePair> instances);

  [[nodiscard]] const NodePairs& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<PairedJoint>& joints() const { return joints_; }
  [[nodiscard]] const Follower& follower_a(Index node) const { return followers_a_[node]; }
  [[nodiscard]] const Follower& follower_b(Index node) const { return followers_b_[node]; }

  /// Returns why a node of A and its counterpart may have different world transforms in some pose: they or their ancestors differ at rest
  /// by more than rounding. Empty if they are equal in all poses. `length`: the size of the scene.
  [[nodiscard]] std::string difference_above(Index node_a, double length);

 private:
  void find_joints(std::span<const InstancePair> instances);
  void measure(PairedJoint& joint) const;

  const Model& a_;
  const Model& b_;
  NodePairs nodes_;
  std::vector<PairedJoint> joints_;
  std::vector<Follower> followers_a_, followers_b_;  ///< by node
  std::vector<bool> known_same_;                     ///< by node of A: difference_above found nothing
};

}  // namespace sinew::operations
