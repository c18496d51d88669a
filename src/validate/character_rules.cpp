// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "base/catalogue_avatar.hpp"
#include "base/guard.hpp"
#include "gltf/check/ext/KHR_character.hpp"
#include "validate/avatar_rules.hpp"

#include "sinew/animate.hpp"

namespace sinew::validate::character_rules {

using avatars::operator""_code;
using gltf::character::Character;

namespace {

constexpr double horizontal = 15;   // degrees
constexpr double tolerance = 1e-6;  // of draft C

// Returns half a step of a normalised type.
double rounding_of(const Array& values) {
  if (!values.normalized()) return 0;
  switch (values.type()) {
    case ComponentType::int8:
      return 0.5 / 127;
    case ComponentType::uint8:
      return 0.5 / 255;
    case ComponentType::int16:
      return 0.5 / 32767;
    default:
      return 0.5 / 65535;
  }
}

/// Measures expressions and reference poses.
class Check {
 public:
  Check(const Model& model, FindingSink& sink) : model_(model), sink_(sink) {}

  void expression(const Character::Clip& expression) {
    const Clip* const clip = usable(expression.clip);
    if (clip == nullptr) return;
    Pose pose = model_.rest_pose;
    need(animate::sample(model_, *clip, 0, pose));
    for (const Track& track : clip->tracks) {
      const double off = difference(track, pose);
      if (!(off > 0)) continue;
      constexpr std::string_view paths[] = {"the translation", "the rotation", "the scale", "the weights"};
      const std::string_view path = paths[static_cast<std::size_t>(track.path)];
      sink_.add(finding("GLTF_CHARACTER_EXPRESSION_REST"_code, expression.at.place(), path, track.node, off));
    }
  }

  void t_pose(const Character::Clip& reference, const std::array<Character::Arm, 2>& arms) {
    const Clip* const clip = usable(reference.clip);
    if (clip == nullptr) return;
    Pose pose = model_.rest_pose;
    need(animate::sample(model_, *clip, clip->duration, pose));
    const std::vector<Affine> world = need(world_transforms(model_, pose));
    for (std::size_t side = 0; side < arms.size(); ++side) {
      const auto& [upper, hand] = arms[side];
      if (upper >= world.size() || hand >= world.size()) continue;
      std::array<double, 3> way;
      for (std::size_t axis = 0; axis < 3; ++axis) way[axis] = world[hand].translation(axis) - world[upper].translation(axis);
      const double off = std::abs(std::atan2(way[1], std::hypot(way[0], way[2]))) * 180 / std::numbers::pi;
      if (off > horizontal) sink_.add(finding("GLTF_CHARACTER_POSE_ARMS"_code, reference.at.place(), side == 0 ? "left" : "right", off));
    }
  }

 private:
  [[nodiscard]] const Clip* usable(Index clip) const {
    return clip < model_.clips.size() && model_.clips[clip].defect == none ? &model_.clips[clip] : nullptr;
  }

  // Returns by how much a value differs from the stored one; 0 within the tolerance.
  [[nodiscard]] double difference(const Track& track, const Pose& pose) const {
    const LocalTransform &now = pose.locals[track.node], &rest = model_.rest_pose.locals[track.node];
    const double rounding = rounding_of(track.values);
    if (track.path != TrackPath::amounts && !rest.basis.empty()) return 0;  // glTF does not allow to animate a matrix
    switch (track.path) {
      case TrackPath::translation:
        return difference(now.translation, rest.translation, 0, rounding);
      case TrackPath::scale:
        return difference(now.scale, rest.scale, 1, rounding);
      case TrackPath::amounts:
        return difference(pose.amounts[track.node], model_.rest_pose.amounts[track.node], 0, rounding);
      case TrackPath::rotation:
        break;
    }
    double dot = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const double neutral = i == 0 ? 1 : 0;
      dot += (now.rotor.empty() ? neutral : now.rotor[i]) * (rest.rotor.empty() ? neutral : rest.rotor[i]);
    }
    const double off = 1 - std::abs(dot);
    return off > tolerance + 8 * rounding * rounding ? off : 0;
  }

  template <class Values>
  static double difference(const Values& now, const Values& rest, double neutral, double rounding) {
    double worst = 0;
    for (std::size_t i = 0; i < std::max(now.size(), rest.size()); ++i) {
      const double a = i < now.size() ? now[i] : neutral, b = i < rest.size() ? rest[i] : neutral;
      const double off = std::abs(a - b);
      if (off > tolerance + rounding + tolerance * std::max(std::abs(a), std::abs(b))) worst = std::max(worst, off);
    }
    return worst;
  }

  const Model& model_;
  FindingSink& sink_;
};

}  // namespace

}  // namespace sinew::validate::character_rules

namespace sinew::validate {

void check_character(const Model& model, const document::Document& document, FindingSink& sink) {
  if (model.dimension != 3 || model.clips.empty()) return;
  const gltf::character::Character character = gltf::character::character_in(document.json().root());
  character_rules::Check check(model, sink);
  for (const auto& expression : character.expressions) check.expression(expression);
  for (const auto& pose : character.t_poses) check.t_pose(pose, character.arms);
}

}  // namespace sinew::validate
