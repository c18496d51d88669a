// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/guard.hpp"
#include "math/rotation_scale.hpp"

#include "sinew/model.hpp"

namespace sinew {

namespace {

using Vector = std::array<double, 3>;
using Rotor3 = std::array<double, 4>;  // a rotor of 3D

Rotor3 then(const Rotor3& first, const Rotor3& second) {
  Rotor3 out;
  need(compose(3, first, second, out));
  return out;
}

Rotor3 reversed(const Rotor3& turn) {
  Rotor3 out;
  reverse_rotor(3, turn, out);
  return out;
}

Vector turned(const Rotor3& turn, const Vector& v) {
  std::array<double, 9> matrix;
  need(matrix_from_rotor(3, turn, matrix));
  Vector out{};
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t i = 0; i < 3; ++i) out[i] += matrix[3 * j + i] * v[j];
  return out;
}

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Returns the shortest rotation between unit vectors; about any perpendicular axis if they are opposite.
Rotor3 turn_between(const Vector& from, const Vector& to) {
  const double along = dot(from, to);
  Vector axis = {from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2], from[0] * to[1] - from[1] * to[0]};
  double real = 1 + along;
  if (real < 1e-12) {
    real = 0;
    axis = std::abs(from[0]) > std::abs(from[2]) ? Vector{-from[1], from[0], 0} : Vector{0, -from[2], from[1]};
  }
  Rotor3 turn = rotor_from_quaternion(Rotor3{axis[0], axis[1], axis[2], real});
  (void)normalize_rotor(turn);
  return turn;
}

/// The rotation of a transform; nothing if it has shear.
std::optional<Rotor3> rotation_of(const LocalTransform& local) {
  Rotor3 turn{1, 0, 0, 0};
  if (!local.basis.empty()) {
    const auto parts = rotation_and_scale(3, local.basis);
    if (!parts) return std::nullopt;
    const std::vector<double> rotor = parts->rotor();
    expand_rotor(rotor, turn);
  } else if (!local.rotor.empty()) {
    expand_rotor(local.rotor, turn);
  }
  return normalize_rotor(turn) ? std::optional(turn) : std::nullopt;
}

Vector place_of(const Affine& map) { return {map.translation(0), map.translation(1), map.translation(2)}; }

/// Visits nodes so that a node comes after its parent and after the node that it follows.
class Constraining {
 public:
  Constraining(const Model& model, Pose& pose) : model_(model), pose_(pose), by_node_(model.nodes.size()), state_(model.nodes.size()) {
    for (const NodeConstraint& constraint : model.avatar.constraints) by_node_[constraint.node] = &constraint;
    world_.resize(model.nodes.size());
  }

  void run() {
    for (const NodeConstraint& constraint : model_.avatar.constraints) visit(constraint.node);
  }

 private:
  enum class State : std::uint8_t { unseen, open, done };

  void visit(Index first) {
    open_.push_back(first);
    while (!open_.empty()) {
      const Index node = open_.back();
      if (state_[node] == State::unseen) {
        state_[node] = State::open;
        need(model_.nodes[node].parent);
        if (by_node_[node] != nullptr) need(by_node_[node]->from);
        continue;
      }
      open_.pop_back();
      if (state_[node] == State::done) continue;
      if (by_node_[node] != nullptr) follow(*by_node_[node]);
      const Index parent = model_.nodes[node].parent;
      const Affine local = affine_of(3, pose_.locals[node]);
      world_[node] = parent < world_.size() && state_[parent] == State::done ? world_[parent] * local : local;
      state_[node] = State::done;
    }
  }

  void need(Index node) {
    if (node < state_.size() && state_[node] == State::unseen) open_.push_back(node);
  }

  void follow(const NodeConstraint& constraint) {
    if (state_[constraint.from] != State::done) return;  // a cycle
    const auto rest = rotation_of(model_.rest_pose.locals[constraint.node]);
    const auto target = rest ? target_of(constraint, *rest) : std::nullopt;
    if (!target) return;
    Rotor3 turn;
    slerp(*rest, *target, constraint.weight, turn);
    (void)normalize_rotor(turn);
    LocalTransform& local = pose_.locals[constraint.node];
    if (!local.basis.empty()) {
      const auto parts = rotation_and_scale(3, local.basis);
      if (!parts) return;
      local.basis.clear();
      local.scale = parts->scale;
    }
    local.rotor.assign(turn);
  }

  std::optional<Rotor3> target_of(const NodeConstraint& constraint, const Rotor3& rest) const {
    if (constraint.kind == NodeConstraint::Kind::aim) return aimed(constraint, rest);
    const auto from_rest = rotation_of(model_.rest_pose.locals[constraint.from]), from = rotation_of(pose_.locals[constraint.from]);
    if (!from_rest || !from) return std::nullopt;
    const Rotor3 change = then(*from, reversed(*from_rest));  // in the source's axes at rest
    if (constraint.kind == NodeConstraint::Kind::rotation) return then(change, rest);
    // The same change in the parent's axes, and then in the node's: of it only the part about the axis.
    const Rotor3 in_parent = then(then(reversed(*from_rest), change), *from_rest);
    const Rotor3 in_node = then(then(rest, in_parent), reversed(rest));
    const Rotor3 away = turn_between(constraint.axis, turned(in_node, constraint.axis));
    return then(then(in_node, reversed(away)), rest);
  }

  std::optional<Rotor3> aimed(const NodeConstraint& constraint, const Rotor3& rest) const {
    const Index parent = model_.nodes[constraint.node].parent;
    Affine above(3);
    if (parent < world_.size()) {
      if (state_[parent] != State::done) return std::nullopt;
      above = world_[parent];
    }
    const auto turn_above = rotation_of({{}, {}, {}, SmallVector<double, 1>(above.values().first(9))});
    if (!turn_above) return std::nullopt;
    const Affine own = above * affine_of(3, pose_.locals[constraint.node]);
    const Vector to = place_of(world_[constraint.from]), at = place_of(own);
    Vector way = {to[0] - at[0], to[1] - at[1], to[2] - at[2]};
    const double length = std::sqrt(dot(way, way));
    if (!(length > 0)) return std::nullopt;
    for (double& x : way) x /= length;
    const Rotor3 in_world = then(rest, *turn_above);
    const Rotor3 swing = turn_between(turned(in_world, constraint.axis), way);
    return then(then(in_world, swing), reversed(*turn_above));
  }

  const Model& model_;
  Pose& pose_;
  std::vector<const NodeConstraint*> by_node_;
  std::vector<State> state_;
  std::vector<Affine> world_;
  std::vector<Index> open_;
};

}  // namespace

Result<> constrain(const Model& model, Pose& pose) SINEW_TRY {
  if (!model.avatar.constraints.empty()) Constraining(model, pose).run();
  return {};
}
SINEW_CATCH()

}  // namespace sinew
