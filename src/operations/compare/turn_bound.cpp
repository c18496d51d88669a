// SPDX-License-Identifier: MIT
#include "operations/compare/turn_bound.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "math/length.hpp"

namespace sinew::operations {

void TurnBound::clear() {
  for (const JointPlace joint : touched_) place_[index(joint)] = unused;
  touched_.clear();
  sums_.clear();
  vectors_.clear();
}

void TurnBound::add(bool to_a, const Follower& map, const float* point, double weight, bool offset) {
  const std::size_t at = find(map.joint);
  double* const sum = vectors_.data() + at * 2 * n_ + (to_a ? 0 : n_);
  const std::span<const double> m = map.joint_from_node.values();
  for (std::size_t i = 0; i < n_; ++i) {
    double value = offset ? 0 : m[n_ * n_ + i];
    for (std::size_t j = 0; j < n_; ++j) value += m[j * n_ + i] * static_cast<double>(point[j]);
    sum[i] += weight * value;
  }
  if (!offset) (to_a ? sums_[at].weight_a : sums_[at].weight_b) += weight;
}

TurnBound::Result TurnBound::finish() {
  Result result;
  for (const JointPlace joint : touched_) result.difference += difference_of(joint);
  differ_ = result.difference > 0;
  for (std::size_t i = 0; i < touched_.size(); ++i)  // the loop appends parents
    if (touched_[i] != at_world) static_cast<void>(find(joints_[touched_[i]].parent));
  const std::size_t world = find(at_world);
  std::ranges::sort(touched_, std::greater<>());
  for (const JointPlace joint : touched_)
    if (joint != at_world) pass_up(joint, result);
  result.distance += distance_of(world) + sums_[world].turned;
  result.reach = length_of(std::span(vectors_).subspan(world * 2 * n_ + n_, n_)) + sums_[world].reach;
  return result;
}

JointPlace TurnBound::most_different() const {
  JointPlace most = at_world;
  double difference = 0;
  for (const JointPlace joint : touched_)
    if (const double d = difference_of(joint); d > difference) most = joint, difference = d;
  return most;
}

std::size_t TurnBound::find(JointPlace joint) {
  std::uint32_t& place = place_[index(joint)];
  if (place == unused) {
    place = static_cast<std::uint32_t>(sums_.size());
    sums_.emplace_back();
    vectors_.resize(vectors_.size() + 2 * n_);
    touched_.push_back(joint);
  }
  return place;
}

double TurnBound::distance_of(std::size_t at) const {
  const double *a = vectors_.data() + at * 2 * n_, *b = a + n_;
  double squares = 0;
  for (std::size_t i = 0; i < n_; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

double TurnBound::difference_of(JointPlace joint) const {
  const std::size_t at = place_[index(joint)];
  if (joint == at_world) return distance_of(at);
  const double moved = distance_of(at), weight = std::abs(sums_[at].weight_a - sums_[at].weight_b);
  return (moved == 0 ? 0 : joints_[joint].measure * moved) + (weight == 0 ? 0 : weight * joints_[joint].far);
}

void TurnBound::pass_up(JointPlace place, Result& result) {
  const PairedJoint& joint = joints_[place];
  const Sum sum = sums_[place_[place]];
  const double *a = vectors_.data() + place_[place] * 2 * n_, *b = a + n_;
  double squares = 0, squares_b = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    double in_a = 0, in_b = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      in_a += joint.size_a[j * n_ + i] * a[j];
      in_b += joint.size_b[j * n_ + i] * b[j];
    }
    squares += (in_a - in_b) * (in_a - in_b);
    squares_b += in_b * in_b;
  }
  const double reach = std::sqrt(squares_b) + joint.size_norm_b * sum.reach;
  const double turned = std::sqrt(squares) + joint.size_norm_a * sum.turned + joint.size_difference * sum.reach;
  const std::size_t above = place_[index(joint.parent)];
  Sum& up = sums_[above];
  up.turned += joint.fixed_norm_a * (turned + joint.turn_difference * reach) + joint.fixed_difference * reach;
  up.reach += joint.fixed_norm_b * reach;
  up.weight_a += sum.weight_a;
  up.weight_b += sum.weight_b;
  for (std::size_t i = 0; i < n_; ++i) {
    vectors_[above * 2 * n_ + i] += joint.at_a[i] * sum.weight_a;
    vectors_[above * 2 * n_ + n_ + i] += joint.at_b[i] * sum.weight_b;
  }
  if (!joint.connected) result.distance = std::numeric_limits<double>::infinity();
}

}  // namespace sinew::operations
