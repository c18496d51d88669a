// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "base/guard.hpp"
#include "gltf/check/ext/VRM.hpp"

namespace sinew::gltf::vrm {

namespace {

constexpr double positive_scale_tolerance = 1e-4, old_tolerance = 1e-3;

// Old names of thumbs that VRM 1.0 does not have.
bool is_old_thumb(std::string_view name) { return find_human_bone(name) == nullptr && find_old_human_bone(name) != nullptr; }

/// Checks the entries of a humanoid one by one.
class EntryCheck {
 public:
  EntryCheck(Checker& checker, const Humanoid& humanoid) : checker_(checker), old_(humanoid.old) {}

  void entry(const std::string& name, JsonValue name_at, JsonValue node) {
    const HumanBoneKind* const kind = old_ ? find_old_human_bone(name) : find_human_bone(name);
    if (kind == nullptr && !old_ && is_old_thumb(name)) return checker_.report("VRM_BONE_THUMB_NAMES"_code, name_at, name);
    if (kind == nullptr) return checker_.report("VRM_BONE_UNKNOWN"_code, name_at, '"' + name + '"');
    if (old_ && node.number() == -1) return;  // none
    if (const auto [first, is_new] = names_.emplace(kind, number_); !is_new && old_)
      return checker_.report("VRM_BONE_DUPLICATE"_code, name_at, name, first->second);
    const Index index = checker_.root().plain_index(node, Reference::node);
    if (index == none) return;
    if (const auto [first, is_new] = nodes_.emplace(index, name); !is_new)
      checker_.report("VRM_BONE_NODE_SHARED"_code, node, index, first->second);
  }
  void next() { ++number_; }

 private:
  Checker& checker_;
  bool old_;
  std::size_t number_ = 0;
  std::map<const HumanBoneKind*, std::size_t> names_;
  std::map<Index, std::string> nodes_;
};

// Returns by how much a scale differs from a positive, uniform one; relative.
double unevenness(const std::array<double, 3>& scale) {
  const auto [least, most] = std::ranges::minmax(scale);
  return least > 0 ? most / least - 1 : std::numeric_limits<double>::infinity();
}

// In radians.
double angle_of(const LocalTransform& local) {
  if (!local.basis.empty()) {
    const Affine map = affine_of(3, local);
    const std::array<double, 3> scale = scale_of(local);
    const double trace = map(0, 0) / scale[0] + map(1, 1) / scale[1] + map(2, 2) / scale[2];
    return std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0));
  }
  if (local.rotor.empty()) return 0;
  double rest = 0;
  for (std::size_t i = 1; i < local.rotor.size(); ++i) rest += local.rotor[i] * local.rotor[i];
  return 2 * std::atan2(std::sqrt(rest), std::abs(local.rotor[0]));
}

void check_uniform(Checker& checker) {
  const Model& model = checker.model();
  std::size_t count = 0;
  Index worst = none;
  double most = positive_scale_tolerance;
  for (Index node = 0; node < model.nodes.size(); ++node) {
    const double uneven = unevenness(scale_of(model.rest_pose.locals[node]));
    if (!(uneven > positive_scale_tolerance)) continue;
    ++count;
    if (worst == none || uneven > most) most = uneven, worst = node;
  }
  if (count == 0) return;
  const auto [x, y, z] = scale_of(model.rest_pose.locals[worst]);
  const JsonValue at(checker.document().json(), static_cast<std::uint32_t>(model.nodes[worst].source));
  checker.report("VRM_NODE_SCALE_UNIFORM"_code, at, count, model.nodes.size(), worst, x, y, z);
}

void check_neutral(Checker& checker, const Humanoid& humanoid) {
  const Model& model = checker.model();
  std::size_t count = 0;
  const Humanoid::Bone* worst = nullptr;
  double most = 0;
  for (const Humanoid::Bone& bone : humanoid.bones) {
    const LocalTransform& local = model.rest_pose.locals[bone.node];
    double off = angle_of(local);
    for (const double factor : scale_of(local)) off = std::max(off, std::abs(factor - 1));
    if (!(off > old_tolerance)) continue;
    ++count;
    if (off > most) most = off, worst = &bone;
  }
  if (worst == nullptr) return;
  const LocalTransform& local = model.rest_pose.locals[worst->node];
  const auto [x, y, z] = scale_of(local);
  checker.report("VRM0_BONE_TRANSFORM"_code, worst->at, count, humanoid.bones.size(), worst->node, angle_of(local) * 180 / std::numbers::pi,
                 x, y, z);
}

void check_bone(Checker& checker, const Humanoid& humanoid, const Humanoid::Bone& bone) {
  const std::string_view name = humanoid.name_of(*bone.kind);
  if (bone.kind->needs_parent && humanoid.find(bone.kind->parent) == nullptr) {
    const std::string_view needed = humanoid.name_of(*find_human_bone(bone.kind->parent));
    if (humanoid.old)
      warn(checker, "VRM_BONE_PARENT_MISSING"_code, bone.at, name, needed);
    else
      checker.report("VRM_BONE_PARENT_MISSING"_code, bone.at, name, needed);
  }
  const Humanoid::Bone* const parent = humanoid.parent_of(*bone.kind);
  if (parent != nullptr && parent->node != bone.node && !checker.parsed().nodes->tree().is_above(parent->node, bone.node))
    checker.report("VRM_BONE_PARENT"_code, bone.at, bone.node, parent->node, humanoid.name_of(*parent->kind));
}

}  // namespace

std::array<double, 3> scale_of(const LocalTransform& local) {
  std::array<double, 3> scale = {1, 1, 1};
  if (local.basis.empty()) {
    std::ranges::copy(local.scale, scale.begin());
    return scale;
  }
  const Affine map = affine_of(3, local);
  for (std::size_t column = 0; column < 3; ++column) scale[column] = std::hypot(map(0, column), map(1, column), map(2, column));
  if (determinant(map) < 0) scale[0] = -scale[0];
  return scale;
}

const Humanoid::Bone* Humanoid::find(std::string_view name) const {
  const auto found = std::ranges::find_if(bones, [&](const Bone& bone) { return bone.kind->name == name; });
  return found == bones.end() ? nullptr : &*found;
}

const Humanoid::Bone* Humanoid::parent_of(const HumanBoneKind& kind) const {
  for (const HumanBoneKind* above = find_human_bone(kind.parent); above != nullptr; above = find_human_bone(above->parent))
    if (const Bone* const bone = find(above->name)) return bone;
  return nullptr;
}

Humanoid humanoid_of(JsonValue humanoid, bool old, std::size_t nodes) {
  Humanoid found{old, humanoid["humanBones"], {}};
  const auto add = [&](const HumanBoneKind* kind, JsonValue node) {
    const auto index = whole_number(node);
    if (kind != nullptr && index && *index < nodes && found.find(kind->name) == nullptr)
      found.bones.push_back({kind, static_cast<Index>(*index), node});
  };
  if (old)
    for (const JsonValue bone : found.at.elements()) add(find_old_human_bone(bone["bone"].string()), bone["node"]);
  else
    for (const JsonMember bone : found.at.members()) add(find_human_bone(bone.key.string()), bone.value["node"]);
  return found;
}

void check_humanoid(Checker& checker, const Humanoid& humanoid, JsonValue at) {
  EntryCheck entries(checker, humanoid);
  std::set<const HumanBoneKind*> listed;
  if (humanoid.old)
    for (const JsonValue bone : humanoid.at.elements()) {
      const std::string name = bone["bone"].string();
      entries.entry(name, bone["bone"] ? bone["bone"] : bone, bone["node"]);
      entries.next();
      if (bone["node"] && bone["node"].number() != -1) listed.insert(find_old_human_bone(name));
    }
  else
    for (const JsonMember bone : humanoid.at.members()) {
      const std::string name = bone.key.string();
      if (name == row::extensions.name || name == row::extras.name) continue;
      entries.entry(name, bone.value, bone.value["node"]);
      listed.insert(find_human_bone(name));
    }
  const JsonValue place = humanoid.at ? humanoid.at : at;
  for (const HumanBoneKind& kind : human_bones()) {
    if (listed.contains(&kind)) continue;
    if (kind.required) checker.report("VRM_BONE_REQUIRED"_code, place, humanoid.name_of(kind));
    // Readers accept VRM 0.x without them.
    if (kind.required_in_old && humanoid.old) warn(checker, "VRM_BONE_REQUIRED"_code, place, humanoid.name_of(kind));
  }
  for (const Humanoid::Bone& bone : humanoid.bones) check_bone(checker, humanoid, bone);
}

void check_bone_transforms(Checker& checker, const Humanoid& humanoid) {
  const Model& model = checker.model();
  std::vector<bool> in_scene(model.nodes.size());
  for (const Index node : need(reached_nodes(model))) in_scene[node] = true;
  for (const Humanoid::Bone& bone : humanoid.bones) {
    if (!in_scene[bone.node]) checker.report("VRM_BONE_NOT_IN_SCENE"_code, bone.at, bone.node);
    const auto [x, y, z] = scale_of(model.rest_pose.locals[bone.node]);
    if (!(x > 0 && y > 0 && z > 0)) checker.report("VRM_BONE_SCALE"_code, bone.at, bone.node, x, y, z);
  }
  if (humanoid.old)
    check_neutral(checker, humanoid);
  else
    check_uniform(checker);
}

}  // namespace sinew::gltf::vrm
