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

#include "math/dimension.hpp"
#include "math/length.hpp"
#include "operations/compare/joint_tree.hpp"

namespace sinew::operations {

/// Bounds the distance of two vertices over all turns of the joints, from their coefficients. For joint j let p_j = Σ weight ·
/// joint_from_mesh · v and W_j = Σ weight. In the space of j, before its turn, the sum of everything that j moves is
///   x_j = size_j · (p_j + Σ_c (at_c · W_c* + fixed_c · turn_c · x_c))       over the child joints c, W* the sum of W over c and all below,
/// so turns of descendants only rotate vectors of known length. The sum is longest if all have one direction. The bound is exact if `size`
/// and `fixed` scale uniformly and are equal in both models. D: the dimension, as a constant or a number.
template <class D>
class TurnBound {
 public:
  TurnBound(const std::vector<PairedJoint>& joints, D dimension) : joints_(joints), n_(dimension), place_(joints.size() + 1, unused) {}

  [[nodiscard]] D dimension() const { return n_; }
  /// Resets the sums for another pair of vertices.
  void clear();
  /// Resets the sums only, for other vectors that the same joints move: other ones must not be added.
  void restart();
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
    std::array<double, capacity_of<D>> a{}, b{};

    [[nodiscard]] bool is_still(D n) const {
      bool still = true;
      for (std::size_t i = 0; i < n; ++i) still &= a[i] == 0 && b[i] == 0;
      return still;
    }
  };

  [[nodiscard]] std::size_t index(JointPlace joint) const { return joint == at_world ? joints_.size() : joint; }
  [[nodiscard]] std::size_t find(JointPlace joint);
  [[nodiscard]] double distance_of(const Sum& sum) const;
  [[nodiscard]] double difference_of(JointPlace joint) const;
  void pass_up(JointPlace place, Result& result);

  const std::vector<PairedJoint>& joints_;
  D n_;
  bool differ_ = false;
  std::vector<std::uint32_t> place_;  ///< by joint, then the world: the index in `sums_`
  std::vector<JointPlace> added_;     ///< what `add` was called with, in that order
  std::vector<JointPlace> order_;     ///< those and the joints above them, children first; empty before `finish`
  std::vector<Sum> sums_;
};

template <class D>
void TurnBound<D>::clear() {
  for (const JointPlace joint : added_) place_[index(joint)] = unused;
  for (const JointPlace joint : order_) place_[index(joint)] = unused;
  added_.clear();
  order_.clear();
  sums_.clear();
}

template <class D>
void TurnBound<D>::restart() {
  std::ranges::fill(sums_, Sum());
}

template <class D>
void TurnBound<D>::add(bool to_a, const Follower& map, const float* point, double weight, bool offset) {
  Sum& sum = sums_[find(map.joint)];
  double* const to = to_a ? sum.a.data() : sum.b.data();
  const double* const m = map.joint_from_node.values().data();
  for (std::size_t i = 0; i < n_; ++i) {
    double value = offset ? 0 : m[n_ * n_ + i];
    for (std::size_t j = 0; j < n_; ++j) value += m[j * n_ + i] * static_cast<double>(point[j]);
    to[i] += weight * value;
  }
  if (!offset) (to_a ? sum.weight_a : sum.weight_b) += weight;
}

template <class D>
typename TurnBound<D>::Result TurnBound<D>::finish() {
  Result result;
  for (const JointPlace joint : added_) result.difference += difference_of(joint);
  differ_ = result.difference > 0;
  if (order_.empty()) {
    order_ = added_;
    for (std::size_t i = 0; i < order_.size(); ++i) {  // the loop appends parents
      if (order_[i] == at_world) continue;
      const JointPlace parent = joints_[order_[i]].parent;
      if (place_[index(parent)] != unused) continue;
      place_[index(parent)] = static_cast<std::uint32_t>(sums_.size());
      sums_.emplace_back();
      order_.push_back(parent);
    }
    if (place_[joints_.size()] == unused) {
      place_[joints_.size()] = static_cast<std::uint32_t>(sums_.size());
      sums_.emplace_back();
      order_.push_back(at_world);
    }
    std::ranges::sort(order_, std::greater<>());
  }
  for (const JointPlace joint : order_)
    if (joint != at_world) pass_up(joint, result);
  const Sum& world = sums_[place_[joints_.size()]];
  result.distance += distance_of(world) + world.turned;
  result.reach = length_of(std::span<const double>(world.b.data(), n_)) + world.reach;
  return result;
}

template <class D>
JointPlace TurnBound<D>::most_different() const {
  JointPlace most = at_world;
  double difference = 0;
  for (const JointPlace joint : added_)
    if (const double d = difference_of(joint); d > difference) most = joint, difference = d;
  return most;
}

template <class D>
std::size_t TurnBound<D>::find(JointPlace joint) {
  std::uint32_t& place = place_[index(joint)];
  if (place == unused) {
    place = static_cast<std::uint32_t>(sums_.size());
    sums_.emplace_back();
    added_.push_back(joint);
  }
  return place;
}

template <class D>
double TurnBound<D>::distance_of(const Sum& sum) const {
  double squares = 0;
  for (std::size_t i = 0; i < n_; ++i) squares += (sum.a[i] - sum.b[i]) * (sum.a[i] - sum.b[i]);
  return std::sqrt(squares);
}

template <class D>
double TurnBound<D>::difference_of(JointPlace joint) const {
  const Sum& sum = sums_[place_[index(joint)]];
  const double moved = distance_of(sum);
  if (joint == at_world) return moved;
  const double weight = std::abs(sum.weight_a - sum.weight_b);
  return (moved == 0 ? 0 : joints_[joint].measure * moved) + (weight == 0 ? 0 : weight * joints_[joint].far);
}

template <class D>
void TurnBound<D>::pass_up(JointPlace place, Result& result) {
  const PairedJoint& joint = joints_[place];
  const Sum& sum = sums_[place_[place]];
  double squares = 0, squares_b = 0;
  if (!sum.is_still(n_)) {  // above the joints that were added, offsets leave nothing
    const double *const size_a = joint.size_a.data(), *const size_b = joint.size_b.data();
    for (std::size_t i = 0; i < n_; ++i) {
      double in_a = 0, in_b = 0;
      for (std::size_t j = 0; j < n_; ++j) {
        in_a += size_a[j * n_ + i] * sum.a[j];
        in_b += size_b[j * n_ + i] * sum.b[j];
      }
      squares += (in_a - in_b) * (in_a - in_b);
      squares_b += in_b * in_b;
    }
  }
  const double reach = std::sqrt(squares_b) + joint.size_norm_b * sum.reach;
  const double turned = std::sqrt(squares) + joint.size_norm_a * sum.turned + joint.size_difference * sum.reach;
  Sum& up = sums_[place_[index(joint.parent)]];
  up.turned += joint.fixed_norm_a * (turned + joint.turn_difference * reach) + joint.fixed_difference * reach;
  up.reach += joint.fixed_norm_b * reach;
  up.weight_a += sum.weight_a;
  up.weight_b += sum.weight_b;
  if (sum.weight_a != 0 || sum.weight_b != 0)
    for (std::size_t i = 0; i < n_; ++i) {
      up.a[i] += joint.at_a[i] * sum.weight_a;
      up.b[i] += joint.at_b[i] * sum.weight_b;
    }
  if (!joint.connected) result.distance = std::numeric_limits<double>::infinity();
}

}  // namespace sinew::operations
