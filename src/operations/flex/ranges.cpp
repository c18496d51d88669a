// SPDX-License-Identifier: MIT
// The ranges in which human joints move (docs/flex.md lists them with their sources).
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "operations/bones/bone_names.hpp"
#include "operations/flex/checks.hpp"
#include "operations/weights/vec.hpp"

namespace sinew::operations::bend::human {

namespace {

using weights::cross;
using weights::dot;
using weights::norm;
using weights::Vec;
using weights::operator-;
using weights::operator*;

/// Where the positive direction of the flexion goes.
enum class Bends : std::uint8_t { front, back, palm, down };

struct Range {
  std::string_view bone;  ///< the name of VRM 1.0, without side
  Bends bends;
  double flexion, extension, out, in, twist_in, twist_out;  ///< degrees
  std::array<std::string_view, 2> shares{};                 ///< other bones of the row, which split its range
};

constexpr std::array<Range, 18> ranges = {{{"head", Bends::front, 50, 60, 45, 45, 80, 80, {"neck", ""}},
                                           {"neck", Bends::front, 50, 60, 45, 45, 80, 80, {"head", ""}},
                                           {"spine", Bends::front, 80, 30, 35, 35, 45, 45, {"chest", "upperChest"}},
                                           {"chest", Bends::front, 80, 30, 35, 35, 45, 45, {"spine", "upperChest"}},
                                           {"upperChest", Bends::front, 80, 30, 35, 35, 45, 45, {"spine", "chest"}},
                                           {"UpperArm", Bends::front, 180, 60, 180, 30, 70, 90, {}},
                                           {"LowerArm", Bends::front, 150, 0, 0, 0, 80, 80, {}},
                                           {"Hand", Bends::palm, 80, 70, 20, 30, 0, 0, {}},
                                           {"UpperLeg", Bends::front, 120, 30, 45, 30, 45, 45, {}},
                                           {"LowerLeg", Bends::back, 135, 0, 0, 0, 10, 10, {}},
                                           {"Foot", Bends::down, 50, 20, 35, 15, 0, 0, {}},
                                           {"Proximal", Bends::palm, 90, 40, 20, 20, 0, 0, {}},
                                           {"Intermediate", Bends::palm, 100, 0, 0, 0, 0, 0, {}},
                                           {"Distal", Bends::palm, 80, 0, 0, 0, 0, 0, {}},
                                           {"ThumbMetacarpal", Bends::palm, 45, 20, 20, 20, 0, 0, {}},
                                           {"ThumbProximal", Bends::palm, 60, 20, 0, 0, 0, 0, {}},
                                           {"ThumbDistal", Bends::palm, 80, 0, 0, 0, 0, 0, {}},
                                           {"jaw", Bends::down, 30, 0, 5, 5, 0, 0, {}}}};

const Range* range_of(std::string_view bone) {
  for (const std::string_view side : {"left", "right"})
    if (bone.starts_with(side)) bone.remove_prefix(side.size());
  const Range* best = nullptr;
  for (const Range& range : ranges)
    if (bone.ends_with(range.bone) && (best == nullptr || range.bone.size() > best->bone.size())) best = &range;
  return best;
}

/// The directions of a body at rest.
struct Directions {
  Vec up{0, 1, 0}, front{0, 0, 1}, left{1, 0, 0};
};

Vec unit(const Vec& v) {
  const double length = norm(v);
  return length > 0 ? (1 / length) * v : v;
}

class Humanoid {
 public:
  Humanoid(const Figure& figure, std::vector<HumanBone> bones) : f_(figure), bones_(std::move(bones)) {
    Vec hips, head, left, right;
    if (at("hips", hips) && at("head", head)) d_.up = unit(head - hips);
    if ((at("leftUpperArm", left) && at("rightUpperArm", right)) || (at("leftUpperLeg", left) && at("rightUpperLeg", right)))
      d_.left = unit(left - right);
    d_.front = unit(cross(d_.left, d_.up));
    d_.left = unit(cross(d_.up, d_.front));
  }

  void add(std::span<const double> directions, std::vector<std::vector<Swing>>& swings) const {
    for (const HumanBone& bone : bones_) {
      const Number joint = f_.joint_of_node[bone.node];
      const Range* const range = range_of(bone.name);
      if (joint == nothing || range == nullptr) continue;
      double parts = 1;
      for (const std::string_view other : range->shares)
        if (!other.empty() && std::ranges::find(bones_, other, &HumanBone::name) != bones_.end()) ++parts;
      const double* const d = &directions[joint * 3];
      const Vec along = {d[0], d[1], d[2]};
      if (norm(along) > 0) swings[joint] = swings_of(joint, bone.name, *range, 1 / parts, along);
    }
  }

 private:
  bool at(std::string_view name, Vec& out) const {
    const auto bone = std::ranges::find(bones_, name, &HumanBone::name);
    if (bone == bones_.end()) return false;
    const Affine& world = f_.world[bone->node];
    out = {world.translation(0), world.translation(1), world.translation(2)};
    return true;
  }

  // Each plane of the joint's frame gets the role of the axis that is nearest to its own: twist, flexion, or sideways.
  [[nodiscard]] std::vector<Swing> swings_of(Number joint, std::string_view name, const Range& range, double share,
                                             const Vec& along) const {
    Vec towards = range.bends == Bends::front ? d_.front : range.bends == Bends::back ? -1.0 * d_.front : -1.0 * d_.up;
    if (range.bends == Bends::palm && std::abs(dot(along, d_.up)) > 0.7)  // hanging arms: palms look at the thighs
      towards = (name.starts_with("left") ? -1.0 : 1.0) * d_.left;
    const Vec flexion = unit(cross(along, towards));
    const std::vector<double>& frame = f_.joints[joint].frame;
    const auto axis = [&](std::size_t i) { return Vec{frame[i * 3], frame[i * 3 + 1], frame[i * 3 + 2]}; };
    std::size_t twist = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (std::abs(dot(axis(i), along)) > std::abs(dot(axis(twist), along))) twist = i;
    std::size_t bend = (twist + 1) % 3;
    if (std::abs(dot(axis((twist + 2) % 3), flexion)) > std::abs(dot(axis(bend), flexion))) bend = (twist + 2) % 3;
    std::vector<Swing> out;
    for (std::size_t i = 0; i < 3; ++i) {
      double low = 0, high = 0;
      Vec positive = along;
      if (i == twist) {
        low = -std::max(range.twist_in, range.twist_out);
        high = -low;
      } else if (i == bend) {
        low = -range.extension;
        high = range.flexion;
        positive = flexion;
      } else {
        low = -range.in;
        high = range.out;
        positive = cross(along, name.starts_with("left") ? d_.left : -1.0 * d_.left);
        if (range.bone == "UpperArm") raised(along, low, high, positive);
      }
      if (range.bone == "UpperArm" && i == bend) high -= raised_by(along) / 2;  // an arm that rests in a T cannot swing so far
      const std::array<Index, 2> plane = i == 0   ? std::array<Index, 2>{1, 2}
                                         : i == 1 ? std::array<Index, 2>{0, 2}
                                                  : std::array<Index, 2>{0, 1};
      const Vec turns_about = cross(axis(plane[0]), axis(plane[1]));
      if (dot(turns_about, positive) < 0) std::tie(low, high) = std::pair(-high, -low);
      add_swing(plane, low * share, high * share, out);
    }
    return out;
  }

  /// Returns how far an arm is raised at rest, in degrees; 0: it hangs.
  [[nodiscard]] double raised_by(const Vec& along) const {
    return std::acos(std::clamp(-dot(unit(along), d_.up), -1.0, 1.0)) * 57.29577951308232;
  }
  // The range of an arm counts from where it hangs.
  void raised(const Vec& along, double& low, double& high, Vec& positive) const {
    low -= raised_by(along);
    high -= raised_by(along);
    positive = cross(along, d_.up);
  }

  static void add_swing(const std::array<Index, 2>& plane, double low, double high, std::vector<Swing>& out) {
    Swing swing{plane, std::min(low, 0.0), std::max(high, 0.0), true, {}};
    if (swing.low < 0) swing.angles.push_back(swing.low);
    if (swing.high > 0) swing.angles.push_back(swing.high);
    if (!swing.angles.empty()) out.push_back(std::move(swing));
  }

  const Figure& f_;
  std::vector<HumanBone> bones_;
  Directions d_;
};

/// Returns the bones of a humanoid by their names, if the names of the most important ones are known.
std::vector<HumanBone> guessed(const Figure& figure) {
  std::vector<std::string> names;
  for (const Joint& joint : figure.joints) names.push_back(figure.model->nodes[joint.node].name);
  const BoneNameTable table(guess_bone_names(names));
  std::vector<HumanBone> out;
  for (const Joint& joint : figure.joints) {
    const std::string_view bone = table.bone(figure.model->nodes[joint.node].name);
    if (!bone.empty() && std::ranges::find(out, bone, &HumanBone::name) == out.end())
      out.push_back({std::string(bone), joint.node, SourceId::nowhere});
  }
  if (out.size() < 8) out.clear();
  return out;
}

}  // namespace

}  // namespace sinew::operations::bend::human

namespace sinew::operations::bend {

std::vector<std::vector<Swing>> swings_of(const Figure& figure, const FlexOptions& options) {
  std::vector<Swing> all;
  for (Index i = 0; i < figure.n; ++i)
    for (Index j = i + 1; j < figure.n; ++j) {
      Swing swing{{i, j}, 0, 0, false, {}};
      for (const double angle : options.angles)
        for (const double signed_angle : {-angle, angle}) {
          swing.angles.push_back(signed_angle);
          swing.low = std::min(swing.low, signed_angle);
          swing.high = std::max(swing.high, signed_angle);
        }
      std::ranges::sort(swing.angles);
      swing.angles.erase(std::unique(swing.angles.begin(), swing.angles.end()), swing.angles.end());
      all.push_back(std::move(swing));
    }
  std::vector<std::vector<Swing>> out(figure.joints.size(), all);
  std::vector<HumanBone> bones = figure.model->avatar.bones;
  if (figure.n != 3) return out;
  if (bones.empty() && options.names) bones = human::guessed(figure);
  if (!bones.empty()) human::Humanoid(figure, std::move(bones)).add(bone_directions(figure), out);
  return out;
}

}  // namespace sinew::operations::bend
