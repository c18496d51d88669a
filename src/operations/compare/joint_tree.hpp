// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "operations/compare/node_pairs.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {

/// A place in a JointTree: that of a joint, or the world.
using JointPlace = std::uint32_t;
inline constexpr JointPlace at_world = static_cast<JointPlace>(-1);

/// A joint that both models have. Its transform is a translation · a turn · `size`. A pose changes the turn. Between a joint and the joint
/// above it are nodes that do not move.
struct PairedJoint {
  Index a = none, b = none;            ///< the nodes
  JointPlace parent = at_world;        ///< the joint above it in both models; lower than its own place
  bool connected = false;              ///< false: the joint above it, or above those, is another one in B
  std::vector<double> at_a, at_b;      ///< the joint's origin in the space of the joint above: N numbers
  std::vector<double> size_a, size_b;  ///< N², column-major
  double turn_difference = 0;          ///< between the turns at rest; this and what follows are spectral norms, or upper bounds of them
  double size_norm_a = 1, size_norm_b = 1, size_difference = 0;
  double fixed_norm_a = 1, fixed_norm_b = 1, fixed_difference = 0;  ///< of the nodes in between
  double world_norm = 1;                                            ///< of world_from_joint in A, in any pose
};

/// How a node follows the joint above it (or is that joint): joint_from_node, which no turn of a joint changes.
struct Follower {
  JointPlace joint = at_world;
  Affine joint_from_node;
};

/// The joints that two models share: nodes in a slot of a skin in either model, that have a counterpart.
class JointTree {
 public:
  /// Keeps references to the models. `instances`: the pairs of a scene, whose skins count.
  JointTree(const Model& a, const Model& b, std::span<const InstancePair> instances);

  [[nodiscard]] const NodePairs& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<PairedJoint>& joints() const { return joints_; }
  [[nodiscard]] const Follower& follower_a(Index node) const { return followers_a_[node]; }
  [[nodiscard]] const Follower& follower_b(Index node) const { return followers_b_[node]; }

  /// Why a node of A and its counterpart do not take the same world transform in every pose that both models can be in: they differ at
  /// rest by more than rounding, or something above them does. Empty if they do. `length`: the size of the scene.
  [[nodiscard]] std::string difference_above(Index node_a, double length);

 private:
  void find_joints(std::span<const InstancePair> instances);
  void measure(PairedJoint& joint) const;

  const Model& a_;
  const Model& b_;
  NodePairs nodes_;
  std::vector<PairedJoint> joints_;
  std::vector<Follower> followers_a_, followers_b_;  ///< of each node
  std::vector<bool> known_same_;                     ///< of each node of A: difference_above found nothing
};

}  // namespace sinew::operations
