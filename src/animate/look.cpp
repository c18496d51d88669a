// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "base/guard.hpp"
#include "math/rotation_scale.hpp"

#include "sinew/animate.hpp"
#include "sinew/geometry.hpp"

namespace sinew::animate {

namespace {

using Range = LookAt::Range;
using Rotor3 = std::array<double, 4>;

double mapped(const Range& range, double degrees) {
  return range.input > 0 ? range.output * std::clamp(degrees / range.input, 0.0, 1.0) : 0;
}

Rotor3 then(const Rotor3& first, const Rotor3& second) {
  Rotor3 both;
  need(compose(3, first, second, both));
  return both;
}

Rotor3 about(const std::array<double, 3>& axis, double degrees) {
  const Quaternion q = Quaternion::about(axis, degrees * std::numbers::pi / 180);
  return rotor_from_quaternion(Rotor3{q.x, q.y, q.z, q.w});
}

/// Turns a node in the space of its parent, after its own rotation.
void turn_in_parent(LocalTransform& local, const Rotor3& turn) {
  if (local.basis.empty()) {
    Rotor3 own{1, 0, 0, 0};
    if (!local.rotor.empty()) expand_rotor(local.rotor, own);
    local.rotor.assign(then(own, turn));
    return;
  }
  std::array<double, 9> matrix;
  need(matrix_from_rotor(3, turn, matrix));
  const std::vector<double> before(local.basis.begin(), local.basis.end());
  for (std::size_t column = 0; column < 3; ++column)
    for (std::size_t row = 0; row < 3; ++row) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += matrix[3 * k + row] * before[3 * column + k];
      local.basis[3 * column + row] = sum;
    }
}

/// Returns the rotation of the space in which a node stands at rest.
Rotor3 space_of(const Model& model, std::span<const Affine> world, Index node) {
  Rotor3 turn{1, 0, 0, 0};
  if (const Index parent = model.nodes[node].parent; parent != none)
    if (const auto parts = rotation_and_scale(3, world[parent].values().first(9))) std::ranges::copy(parts->rotor(), turn.begin());
  return turn;
}

}  // namespace

Result<> look(const Model& model, const Gaze& gaze, Pose& pose) SINEW_TRY {
  const LookAt& how = model.avatar.look_at;
  if (how.kind != LookAt::Kind::bone || model.dimension != 3) return {};
  const double down = gaze.down > 0 ? mapped(how.down, gaze.down) : -mapped(how.up, -gaze.down);
  const double front = model.avatar.format == Avatar::Format::vrm0 ? -1 : 1;  // the z direction that it faces
  const std::vector<Affine> world = need(world_transforms(model, model.rest()));
  for (const bool is_left : {true, false}) {
    const Index eye = model.avatar.bone(is_left ? "leftEye" : "rightEye");
    if (eye == none) continue;
    const double aside = mapped((gaze.left > 0) == is_left ? how.outer : how.inner, std::abs(gaze.left));
    const Rotor3 turn = then(about({front, 0, 0}, down), about({0, 1, 0}, std::copysign(aside, gaze.left)));
    const Rotor3 space = space_of(model, world, eye);
    Rotor3 back;
    reverse_rotor(3, space, back);
    turn_in_parent(pose.locals[eye], then(then(space, turn), back));
  }
  return {};
}
SINEW_CATCH()

Result<std::vector<ExpressionAmount>> look_expressions(const Model& model, const Gaze& gaze) SINEW_TRY {
  const LookAt& how = model.avatar.look_at;
  std::vector<ExpressionAmount> amounts;
  if (how.kind != LookAt::Kind::expression) return amounts;
  const std::pair<std::string_view, double> parts[] = {{"lookLeft", mapped(how.outer, gaze.left)},
                                                       {"lookRight", mapped(how.outer, -gaze.left)},
                                                       {"lookDown", mapped(how.down, gaze.down)},
                                                       {"lookUp", mapped(how.up, -gaze.down)}};
  const std::vector<Expression>& expressions = model.avatar.expressions;
  for (const auto& [name, amount] : parts) {
    const auto found = std::ranges::find_if(expressions, [&](const Expression& each) { return each.preset && each.name == name; });
    if (found != expressions.end() && amount > 0)
      amounts.push_back({static_cast<Index>(found - expressions.begin()), std::min(1.0, amount)});
  }
  return amounts;
}
SINEW_CATCH()

}  // namespace sinew::animate
