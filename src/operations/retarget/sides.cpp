// SPDX-License-Identifier: MIT
#include "operations/retarget/sides.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "base/guard.hpp"
#include "math/extent.hpp"
#include "math/length.hpp"

namespace sinew::operations {

namespace {

using Vector = std::vector<double>;

Vector cross(const Vector& a, const Vector& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }

/// Returns the axis, or its opposite, that is nearest to a vector.
Vector nearest_axis(const Vector& v) {
  const auto largest = std::ranges::max_element(v, {}, [](double x) { return std::abs(x); });
  Vector axis(v.size());
  axis[static_cast<std::size_t>(largest - v.begin())] = *largest < 0 ? -1 : 1;
  return axis;
}

std::optional<Vector> place_of_bone(const RestSide& side, std::span<const BonePair> pairs, std::string_view bone) {
  const BonePair* const pair = find_bone(pairs, bone);
  return pair == nullptr ? std::nullopt : std::optional(side.place(side.node(*pair)));
}

/// Returns the direction from the right limbs to the left ones; nothing without them.
std::optional<Vector> to_the_left(const RestSide& side, std::span<const BonePair> pairs) {
  Vector sum(3);
  bool any = false;
  for (const std::string_view limb : {"UpperLeg", "UpperArm"}) {
    const auto left = place_of_bone(side, pairs, "left" + std::string(limb)),
               right = place_of_bone(side, pairs, "right" + std::string(limb));
    if (!left || !right) continue;
    const Vector across = difference(*left, *right);
    for (std::size_t i = 0; i < 3; ++i) sum[i] += across[i];
    any = true;
  }
  return any && length_of(sum) > 0 ? std::optional(sum) : std::nullopt;
}

/// The facing that a format promises; nothing for others.
std::optional<Vector> promised_facing(const Avatar& avatar) {
  using Format = Avatar::Format;
  if (avatar.bones.empty()) return std::nullopt;
  if (avatar.format == Format::vrm0) return Vector{0, 0, -1};
  if (avatar.format == Format::vrm1 || avatar.format == Format::vrm_animation) return Vector{0, 0, 1};
  return std::nullopt;
}

struct Frame {
  Vector up, facing;
  bool measured = false;
};
std::optional<Frame> frame_of(const RestSide& side, std::span<const BonePair> pairs) {
  if (const auto promised = promised_facing(side.model.avatar)) return Frame{{0, 1, 0}, *promised, false};
  const auto left = to_the_left(side, pairs);
  if (!left) return std::nullopt;
  const Vector up = up_of(side, pairs), facing = cross(*left, up);
  if (!(length_of(facing) > 0)) return std::nullopt;
  return Frame{up, facing, true};
}

double height(const RestSide& side, std::span<const BonePair> pairs, Index hips) {
  constexpr double least = 0.001;
  const Vector up = up_of(side, pairs);
  const double above = dot(side.place(hips), up);
  if (above > least) return above;
  double lowest = std::numeric_limits<double>::infinity();
  for (const std::string_view bone : {"leftFoot", "rightFoot", "leftToes", "rightToes"})
    if (const auto place = place_of_bone(side, pairs, bone)) lowest = std::min(lowest, dot(*place, up));
  return above - lowest > least ? above - lowest : 0;
}

/// Returns the mean length of both legs, straight to the foot where no knee has a counterpart; 0 without them.
double legs(const RestSide& side, std::span<const BonePair> pairs) {
  double sum = 0;
  for (const std::string side_name : {"left", "right"}) {
    const auto upper = place_of_bone(side, pairs, side_name + "UpperLeg"), lower = place_of_bone(side, pairs, side_name + "LowerLeg"),
               foot = place_of_bone(side, pairs, side_name + "Foot");
    if (!upper || !foot) return 0;
    const Vector& knee = lower ? *lower : *foot;
    sum += (length_of(difference(*upper, knee)) + length_of(difference(knee, *foot))) / 2;
  }
  return sum;
}

double hips_to_head(const RestSide& side, std::span<const BonePair> pairs) {
  const auto hips = place_of_bone(side, pairs, "hips"), head = place_of_bone(side, pairs, "head");
  return hips && head ? length_of(difference(*head, *hips)) : 0;
}

/// Returns the diagonal of a box around all bones.
double diagonal(const RestSide& side, std::span<const BonePair> pairs) {
  Extent box;
  for (const BonePair& pair : pairs) {
    const Vector place = side.place(side.node(pair));
    for (std::size_t i = 0; i < place.size(); ++i) box.add(i, place[i]);
  }
  return box.diagonal(side.model.dimension);
}

}  // namespace

std::vector<double> RestSide::place(Index node) const { return place_in(world[node]); }

RestSide motion_side(const Model& model) {
  return {model, need(world_transforms(model, model.rest_pose)), [](const BonePair& pair) { return pair.motion; }};
}

RestSide target_side(const Model& model) {
  return {model, need(world_transforms(model, model.rest_pose)), [](const BonePair& pair) { return pair.target; }};
}

const BonePair* find_bone(std::span<const BonePair> pairs, std::string_view bone) {
  const auto found = std::ranges::find(pairs, bone, &BonePair::bone);
  return found == pairs.end() ? nullptr : &*found;
}

std::vector<double> up_of(const RestSide& side, std::span<const BonePair> pairs) {
  Vector up(side.model.dimension);
  if (up.size() > 1) up[1] = 1;
  if (promised_facing(side.model.avatar)) return up;
  const auto hips = place_of_bone(side, pairs, "hips"), head = place_of_bone(side, pairs, "head");
  if (!hips || !head || length_of(difference(*head, *hips)) == 0) return up;
  const Vector measured = nearest_axis(difference(*head, *hips));
  return measured[0] == 0 ? measured : up;  // a character that lies on its side stands in no file
}

Facing facing_of(const RestSide& motion, const RestSide& target, std::span<const BonePair> pairs) {
  const std::size_t n = target.model.dimension;
  Facing out{Affine(n)};
  if (n != 3) return out;
  const auto a = frame_of(motion, pairs), b = frame_of(target, pairs);
  if (!a || !b) return out;
  const Affine upright = turn_between(a->up, b->up);
  const Vector from = turned(upright, a->facing), across = cross(b->up, from);
  const double angle = std::atan2(dot(b->facing, across), dot(b->facing, from));
  const double quarters = std::round(angle / (std::numbers::pi / 2));
  std::array<double, 9> about;
  const Rotor rotor = Quaternion::about({b->up[0], b->up[1], b->up[2]}, quarters * std::numbers::pi / 2);
  need(matrix_from_rotor(3, rotor.values, about));
  Affine turn(3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) turn(i, j) = std::round(about[3 * j + i]);
  out.target_from_motion = turn * upright;
  out.measured = a->measured || b->measured;
  out.degrees = degrees_of(out.target_from_motion);
  return out;
}

Scale scale_of(const RestSide& motion, const RestSide& target, std::span<const BonePair> pairs, std::size_t hips) {
  Scale out{1, "none"};
  const auto use = [&out](double a, double b, const char* from) {
    if (out.from != "none" || !(a > 0) || !(b > 0)) return;
    out.factor = b / a;
    out.from = from;
  };
  if (target.model.dimension != 3) {
    use(diagonal(motion, pairs), diagonal(target, pairs), "diagonals");
    return out;
  }
  if (hips < pairs.size()) {
    out.height_a = height(motion, pairs, pairs[hips].motion);
    out.height_b = height(target, pairs, pairs[hips].target);
    use(out.height_a, out.height_b, "hips");
  }
  use(legs(motion, pairs), legs(target, pairs), "legs");
  use(hips_to_head(motion, pairs), hips_to_head(target, pairs), "head");
  return out;
}

}  // namespace sinew::operations
