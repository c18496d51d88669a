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
  double far = 0;      ///< the largest distance of its origin from that of the world, in any turns: what a difference of weights moves
  double measure = 1;  ///< what a difference in the joint's space counts in the world: see JointTree::set_measures
};

/// How a node follows its nearest joint (or is a joint): joint_from_node, which no turn changes.
struct Follower {
  JointPlace joint = at_world;
  Affine joint_from_node;
};

/// The nearest node with a counterpart above a node, and the map of the nodes between, which no pose of both models changes.
struct Fixed {
  Index node = none;
  Affine node_from_parent;
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

  /// Returns why a node of A and its counterpart belong to different skeletons: one of them or of their ancestors has another parent, or
  /// composes its transform in another way. Empty if they do not.
  [[nodiscard]] std::string difference_above(Index node_a);

  /// Notes that a vertex is so far from the origin of a node of A, in the space of the node of either model. Before set_measures.
  void reach(Index node_a, double distance);
  /// Sets how much differences count, from all reaches. What is next to nothing at rest (a prop below a joint of scale 0) counts as if it
  /// were as large as the scene, because a pose can make it so. `length`: the size of the scene.
  void set_measures(double length);
  /// Returns how far, in the world, all differences at rest of a node of A and its ancestors can move a vertex that follows it, in any pose
  /// that keeps some of the transforms at rest. After set_measures.
  [[nodiscard]] double shift_above(Index node_a) const { return shift_[node_a]; }
  /// Returns the measure of the space of a node of A, as PairedJoint::measure. After set_measures.
  [[nodiscard]] double measure_of(Index node_a) const { return measure_[node_a]; }

 private:
  /// A node of A with a counterpart, in the space of the nearest such node above it.
  struct Step {
    double shift = 0;     ///< what differs of the translations of this node and of those between, in that space
    double size = 0;      ///< what differs of the scale
    double turn = 0;      ///< what differs of the rotation
    double between = 0;   ///< what differs of the linear map between, relative to that map
    double norm = 1;      ///< of the linear map of this node and of those between, in either model
    double distance = 0;  ///< of the node's origin from that of the node above
    double own = 0;       ///< that part of `distance` which `between` turns
  };

  void find_joints(std::span<const InstancePair> instances);
  void measure(PairedJoint& joint) const;
  [[nodiscard]] Step step_of(Index node_a) const;

  const Model& a_;
  const Model& b_;
  NodePairs nodes_;
  std::vector<PairedJoint> joints_;
  std::vector<Follower> followers_a_, followers_b_;  ///< by node
  std::vector<Fixed> above_a_, above_b_;             ///< by node
  std::vector<bool> known_same_;                     ///< by node of A: difference_above found nothing
  std::vector<double> reach_;                        ///< by node of A, of the vertices that follow it
  std::vector<double> shift_, measure_;              ///< by node of A
  std::vector<bool> differs_;                        ///< by node of A: its rest transform differs by more than rounding
};

}  // namespace sinew::operations
