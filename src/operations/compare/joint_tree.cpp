// SPDX-License-Identifier: MIT
#include "operations/compare/joint_tree.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/message.hpp"
#include "math/length.hpp"
#include "math/spectral_norm.hpp"
#include "operations/compare/larger.hpp"
#include "operations/compare/names_in_words.hpp"

#include "sinew/geometry.hpp"

namespace sinew::operations {

namespace {

constexpr double rounding = 1e-5;  ///< tolerance for transforms that tools rewrite in float32

/// Returns all usable nodes, parents first.
std::vector<Index> parents_first(const Model& model) {
  std::vector<Index> order, chain;
  std::vector<bool> seen(model.nodes.size());
  for (Index start = 0; start < model.nodes.size(); ++start) {
    for (Index node = start; node < model.nodes.size() && !seen[node]; node = model.nodes[node].parent) {
      seen[node] = true;
      chain.push_back(node);
    }
    order.insert(order.end(), chain.rbegin(), chain.rend());
    chain.clear();
  }
  return order;
}

Affine local_of_node(const Model& model, Index node) { return affine_of(model.dimension, model.rest_pose.locals[node]); }

std::vector<Follower> followers_of(const Model& model, const std::vector<Index>& order, const std::vector<JointPlace>& place) {
  std::vector<Follower> followers(model.nodes.size(), {at_world, Affine(model.dimension)});
  for (const Index node : order) {
    Follower& follower = followers[node];
    if (place[node] != at_world) {
      follower.joint = place[node];
    } else if (const Index parent = model.nodes[node].parent; parent < model.nodes.size()) {
      follower = {followers[parent].joint, followers[parent].joint_from_node * local_of_node(model, node)};
    } else {
      follower.joint_from_node = local_of_node(model, node);
    }
  }
  return followers;
}

std::vector<double> difference(std::span<const double> a, std::span<const double> b) {
  std::vector<double> d(a.size());
  std::ranges::transform(a, b, d.begin(), std::minus<>());
  return d;
}

std::span<const double> linear_part(const Affine& map) { return map.values().first(map.dimension() * map.dimension()); }

std::span<const double> translation_of(const Affine& map) { return map.values().subspan(map.dimension() * map.dimension()); }

/// The linear part of a local transform as turn · size. A basis and a rotor that is not a unit rotor belong to `size`.
struct Parts {
  std::vector<double> turn, size;
};

bool has_turn(const LocalTransform& local) {
  if (!local.basis.empty()) return false;
  if (local.rotor.empty()) return true;
  double squares = 0;
  for (const double value : local.rotor) squares += value * value;
  return std::abs(squares - 1) < rounding;
}

Parts parts_of(std::size_t n, const LocalTransform& local, bool split) {
  LocalTransform turn = local, size = local;
  turn.basis.clear();
  turn.scale.clear();
  if (split)
    size.rotor.clear();
  else
    turn.rotor.clear();
  const Affine turned = affine_of(n, turn), sized = affine_of(n, size);
  return {{linear_part(turned).begin(), linear_part(turned).end()}, {linear_part(sized).begin(), linear_part(sized).end()}};
}

/// Returns whether poses that set a rotation, a scale or a translation can tell the transforms apart although their maps are equal.
bool composed_differently(const LocalTransform& a, const LocalTransform& b) {
  const auto positive = [](const LocalTransform& local) { return std::ranges::all_of(local.scale, [](double s) { return s > 0; }); };
  return a.basis.empty() != b.basis.empty() && !(positive(a) && positive(b));
}

std::vector<Fixed> fixed_above(const Model& model, const std::vector<Index>& order, const std::vector<Index>& counterpart) {
  std::vector<Fixed> above(model.nodes.size(), {none, Affine(model.dimension)});
  for (const Index node : order) {
    const Index parent = model.nodes[node].parent;
    if (parent >= model.nodes.size()) continue;
    if (counterpart[parent] != none)
      above[node].node = parent;
    else
      above[node] = {above[parent].node, above[parent].node_from_parent * local_of_node(model, parent)};
  }
  return above;
}

/// A difference of nothing counts nothing, whatever the factor.
double counted(double factor, double difference) { return difference == 0 ? 0 : factor * difference; }

}  // namespace

JointTree::JointTree(const Model& a, const Model& b, std::span<const InstancePair> instances)
    : a_(a),
      b_(b),
      nodes_(pair_nodes(a, b, instances)),
      known_same_(a.nodes.size()),
      reach_(a.nodes.size()),
      shift_(a.nodes.size()),
      measure_(a.nodes.size(), 1),
      differs_(a.nodes.size()) {
  find_joints(instances);
}

void JointTree::find_joints(std::span<const InstancePair> instances) {
  std::vector<bool> is_joint(a_.nodes.size());
  const auto add = [&](Index node) {
    if (node != none && nodes_.b_of[node] != none) is_joint[node] = true;
  };
  for (const InstancePair& pair : instances) {
    if (pair.a.skin != none)
      for (const Index slot : a_.skins[pair.a.skin].slots) add(slot);
    if (pair.b.skin != none)
      for (const Index slot : b_.skins[pair.b.skin].slots) add(slot == none ? none : nodes_.a_of[slot]);
  }
  std::vector<JointPlace> place_a(a_.nodes.size(), at_world), place_b(b_.nodes.size(), at_world);
  const std::vector<Index> order_a = parents_first(a_), order_b = parents_first(b_);
  for (const Index node : order_a) {
    if (!is_joint[node]) continue;
    place_a[node] = place_b[nodes_.b_of[node]] = static_cast<JointPlace>(joints_.size());
    joints_.push_back({});
    joints_.back().a = node;
    joints_.back().b = nodes_.b_of[node];
  }
  above_a_ = fixed_above(a_, order_a, nodes_.b_of);
  above_b_ = fixed_above(b_, order_b, nodes_.a_of);
  followers_a_ = followers_of(a_, order_a, place_a);
  followers_b_ = followers_of(b_, order_b, place_b);
  for (PairedJoint& joint : joints_) measure(joint);
}

void JointTree::measure(PairedJoint& joint) const {
  const std::size_t n = a_.dimension;
  const auto above = [n](const Model& model, const std::vector<Follower>& followers, Index node) {
    const Index parent = model.nodes[node].parent;
    return parent < model.nodes.size() ? followers[parent] : Follower{at_world, Affine(n)};
  };
  const Follower fixed_a = above(a_, followers_a_, joint.a), fixed_b = above(b_, followers_b_, joint.b);
  joint.parent = fixed_a.joint;
  joint.connected = fixed_a.joint == fixed_b.joint && (joint.parent == at_world || joints_[joint.parent].connected);
  const LocalTransform &local_a = a_.rest_pose.locals[joint.a], &local_b = b_.rest_pose.locals[joint.b];
  const Affine joint_a = fixed_a.joint_from_node * affine_of(n, local_a), joint_b = fixed_b.joint_from_node * affine_of(n, local_b);
  joint.at_a.assign(translation_of(joint_a).begin(), translation_of(joint_a).end());
  joint.at_b.assign(translation_of(joint_b).begin(), translation_of(joint_b).end());
  const bool split = has_turn(local_a) && has_turn(local_b);
  Parts parts_a = parts_of(n, local_a, split), parts_b = parts_of(n, local_b, split);
  const auto norm = [n](std::span<const double> matrix) { return spectral_norm(n, matrix); };
  joint.turn_difference = norm(difference(parts_a.turn, parts_b.turn));
  joint.size_norm_a = norm(parts_a.size);
  joint.size_norm_b = norm(parts_b.size);
  joint.size_difference = norm(difference(parts_a.size, parts_b.size));
  joint.size_a = std::move(parts_a.size);
  joint.size_b = std::move(parts_b.size);
  joint.fixed_norm_a = norm(linear_part(fixed_a.joint_from_node));
  joint.fixed_norm_b = norm(linear_part(fixed_b.joint_from_node));
  joint.fixed_difference = norm(difference(linear_part(fixed_a.joint_from_node), linear_part(fixed_b.joint_from_node)));
  joint.world_norm = (joint.parent == at_world ? 1 : joints_[joint.parent].world_norm) * joint.fixed_norm_a * joint.size_norm_a;
}

void JointTree::reach(Index node_a, double distance) { reach_[node_a] = std::max(reach_[node_a], distance); }

JointTree::Step JointTree::step_of(Index node_a) const {
  const std::size_t n = a_.dimension;
  const Index node_b = nodes_.b_of[node_a];
  const Affine &between_a = above_a_[node_a].node_from_parent, &between_b = above_b_[node_b].node_from_parent;
  const LocalTransform &local_a = a_.rest_pose.locals[node_a], &local_b = b_.rest_pose.locals[node_b];
  const Affine in_a = affine_of(n, local_a), in_b = affine_of(n, local_b), to_a = between_a * in_a, to_b = between_b * in_b;
  const bool split = has_turn(local_a) && has_turn(local_b);
  const Parts parts_a = parts_of(n, local_a, split), parts_b = parts_of(n, local_b, split);
  const auto norm = [n](std::span<const double> matrix) { return spectral_norm(n, matrix); };
  const double fixed = std::max(norm(linear_part(between_a)), norm(linear_part(between_b)));
  // A pose can set the translation of the node alone: it counts apart from what lies between.
  return {.shift = length_of(difference(translation_of(between_a), translation_of(between_b))) +
                   counted(fixed, length_of(difference(translation_of(in_a), translation_of(in_b)))),
          .size = fixed * norm(difference(parts_a.size, parts_b.size)),
          .turn = norm(difference(parts_a.turn, parts_b.turn)),
          .between = fixed == 0 ? 0 : norm(difference(linear_part(between_a), linear_part(between_b))) / fixed,
          .norm = fixed * std::max(norm(parts_a.size), norm(parts_b.size)),
          .distance = std::max(length_of(translation_of(to_a)), length_of(translation_of(to_b))),
          .own = fixed * std::max(length_of(translation_of(in_a)), length_of(translation_of(in_b)))};
}

// docs/compare.md has the theorem.
void JointTree::set_measures(double length) {
  constexpr double hidden = 0.01;  // of the scene: what is smaller counts as if it were as large as the scene
  const double all = length == 0 ? infinite : length;
  const std::vector<Index> order = parents_first(a_);
  std::vector<Step> steps(a_.nodes.size());
  std::vector<double> reach = reach_, norm(a_.nodes.size(), 1);  // what lies below, too; of the world's map
  std::vector<double> distance(a_.nodes.size());                 // from the world's origin
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    if (nodes_.b_of[*at] == none) continue;
    const Step& step = steps[*at] = step_of(*at);
    if (const Index above = above_a_[*at].node; above != none)
      reach[above] = std::max(reach[above], step.distance + step.norm * reach[*at]);
  }
  const auto factor = [&](double outer, double size) { return outer * size >= hidden * all || size == 0 ? outer : all / size; };
  for (const Index node : order) {
    const Index above = above_a_[node].node;
    const double outer = above == none ? 1 : norm[above];
    if (above != none) {
      shift_[node] = shift_[above];
      distance[node] = distance[above];
    }
    if (nodes_.b_of[node] == none) continue;
    const Step& step = steps[node];
    norm[node] = outer * step.norm;
    const double seen = factor(outer, step.distance + step.norm * reach[node]);
    // A pose can move what follows the node by as much as the scene is large.
    const double far = reach[node] + (seen == outer && norm[node] > 0 ? all / norm[node] : 0);
    const double moved = counted(seen, step.shift) + counted(seen * far, step.size) +
                         counted(std::max(all, seen * (step.own + step.norm * far)), step.between) +
                         counted(std::max(all, seen * step.norm * far), step.turn);
    differs_[node] = !(moved <= rounding * length);
    shift_[node] += moved;
    distance[node] += counted(seen, step.distance);
    measure_[node] = factor(norm[node], reach_[node]);
  }
  for (PairedJoint& joint : joints_) {
    joint.measure = measure_[joint.a] == norm[joint.a] ? joint.world_norm : measure_[joint.a];
    joint.far = std::max(all, distance[joint.a]);
  }
}

std::string JointTree::difference_above(Index node_a) {
  const auto named = [this](Index node) { return node_in_words(node, a_.nodes[node].name); };
  if (nodes_.b_of[node_a] == none) return format_text("{} has no counterpart", named(node_a));
  std::vector<Index> passed;
  while (node_a != none && !known_same_[node_a]) {
    passed.push_back(node_a);
    const Index node_b = nodes_.b_of[node_a], above_a = above_a_[node_a].node, above_b = above_b_[node_b].node;
    if (above_b != (above_a == none ? none : nodes_.b_of[above_a])) return format_text("{} has a different parent", named(node_a));
    if (differs_[node_a] || composed_differently(a_.rest_pose.locals[node_a], b_.rest_pose.locals[node_b]))
      return format_text("{} has a different rest transform", named(node_a));
    node_a = above_a;
  }
  for (const Index node : passed) known_same_[node] = true;
  return {};
}

}  // namespace sinew::operations
