// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "operations/compare/joint_tree.hpp"

namespace sinew::operations {

/// Bounds the distance of two vertices over all turns of the joints, from their coefficients. For joint j let p_j = Σ weight ·
/// joint_from_mesh · v and W_j = Σ weight. In the space of j, before its turn, the sum of everything that j moves is
///   x_j = size_j · (p_j + Σ_c (at_c · W_c* + fixed_c · turn_c · x_c))       over the child joints c, W* the sum of W over c and all below,
/// so turns of descendants only rotate vectors of known length. The sum is longest if all have one direction. The bound is exact if `size`
/// and `fixed` scale uniformly and are equal in both models.
class TurnBound {
 public:
  TurnBound(const std::vector<PairedJoint>& joints, std::size_t dimension)
      : joints_(joints), n_(dimension), place_(joints.size() + 1, unused) {}

  /// Resets the sums for another pair of vertices.
  void clear();
  /// Adds weight · joint_from_mesh · point to the coefficients of one model. `offset`: only the linear part applies, and the weight does
  /// not count.
  void add(bool to_a, const Follower& map, const float* point, double weight, bool offset);

  struct Result {
    double distance = 0;    ///< over all turns; infinite: the parent joints differ
    double reach = 0;       ///< largest distance of B's vertex from the world's origin
    double difference = 0;  ///< Σ over joints of |Δp|, scaled to the world, and of |ΔW| · far
  };
  [[nodiscard]] Result finish();
  /// Returns whether the coefficients differed. After `finish`.
  [[nodiscard]] bool differ() const { return differ_; }

  /// Returns the joint whose coefficients differ most; at_world: none, or the part without a joint. Call it before `finish`.
  [[nodiscard]] JointPlace most_different() const;

 private:
  static constexpr std::uint32_t unused = static_cast<std::uint32_t>(-1);
  struct Sum {
    double weight_a = 0, weight_b = 0;
    double turned = 0;  ///< lengths of differences that turns of descendants rotate
    double reach = 0;   ///< lengths of B's vectors that turns of descendants rotate
  };

  [[nodiscard]] std::size_t index(JointPlace joint) const { return joint == at_world ? joints_.size() : joint; }
  [[nodiscard]] std::size_t find(JointPlace joint);
  [[nodiscard]] double distance_of(std::size_t at) const;
  [[nodiscard]] double difference_of(JointPlace joint) const;
  void pass_up(JointPlace place, Result& result);

  const std::vector<PairedJoint>& joints_;
  std::size_t n_;
  bool differ_ = false;
  std::vector<std::uint32_t> place_;  ///< by joint, then the world: the index in `sums_`
  std::vector<JointPlace> touched_;
  std::vector<Sum> sums_;
  std::vector<double> vectors_;  ///< by sum: N numbers of A, N of B
};

}  // namespace sinew::operations
