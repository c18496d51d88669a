// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "operations/compare/joint_tree.hpp"

namespace sinew::operations {

/// Bounds the distance of two vertices over all turns of the joints, from their coefficients. For joint j let p_j = Σ weight ·
/// joint_from_mesh · v and W_j = Σ weight. In the space of j, before its turn, all that j moves sums up to
///   x_j = size_j · (p_j + Σ_c (at_c · W_c* + fixed_c · turn_c · x_c))       over the joints c below, W* the sum of W over all below,
/// so the turns below only rotate vectors of known length. The sum of a fixed vector and of vectors that can be turned at will is longest
/// where all point the same way: the bound is exact where `size` and `fixed` scale evenly and are equal in both models.
class TurnBound {
 public:
  TurnBound(const std::vector<PairedJoint>& joints, std::size_t dimension)
      : joints_(joints), n_(dimension), place_(joints.size() + 1, unused) {}

  /// Forgets what was added, in order to begin with another pair of vertices.
  void clear();
  /// Adds weight · joint_from_mesh · point to the coefficients of one side. `offset`: `point` is moved by the linear part and has no
  /// weight.
  void add(bool to_a, const Follower& map, const float* point, double weight, bool offset);

  struct Result {
    double distance = 0;    ///< over all turns; infinite: the joints above differ
    double reach = 0;       ///< how far the vertex of B can be from the origin of the world
    double difference = 0;  ///< the sum over joints of |Δp|, in the scale of the world, and of |ΔW| · length
  };
  [[nodiscard]] Result finish(double length);

  /// The joint whose coefficients differ most; at_world: none does, or what follows no joint. Before `finish`.
  [[nodiscard]] JointPlace most_different(double length) const;

 private:
  static constexpr std::uint32_t unused = static_cast<std::uint32_t>(-1);
  struct Sum {
    double weight_a = 0, weight_b = 0;
    double turned = 0;  ///< the lengths of differences that joints below turn
    double reach = 0;   ///< the lengths of B's vectors that joints below turn
  };

  [[nodiscard]] std::size_t index(JointPlace joint) const { return joint == at_world ? joints_.size() : joint; }
  [[nodiscard]] std::size_t find(JointPlace joint);
  [[nodiscard]] double length_of(const double* vector) const;
  [[nodiscard]] double distance_of(std::size_t at) const;
  [[nodiscard]] double difference_of(JointPlace joint, double length) const;
  void pass_up(JointPlace place, Result& result);

  const std::vector<PairedJoint>& joints_;
  std::size_t n_;
  std::vector<std::uint32_t> place_;  ///< of each joint, and of the world, its place in `sums_`
  std::vector<JointPlace> touched_;
  std::vector<Sum> sums_;
  std::vector<double> vectors_;  ///< of each sum: N numbers of A, N of B
};

}  // namespace sinew::operations
