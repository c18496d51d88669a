// SPDX-License-Identifier: MIT
#include "operations/bones/bone_names.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/ascii.hpp"
#include "base/message.hpp"

namespace sinew::operations {

namespace {

struct Profile {
  std::string_view name, left, right;
  std::string_view bones, more = {};  ///< "BONE=NAME;…"
};

/// Names that only say which bone it is, with the side before or after.
// clang-format off
constexpr std::string_view plain_bones =
  "hips=Hips;hips=Hip;hips=Pelvis;hips=Waist;spine=Spine;spine=Abdomen;spine=Torso;spine=Belly;chest=Chest;chest=Spine1;"
  "chest=UpperBody;upperChest=UpperChest;upperChest=Spine2;neck=Neck;head=Head;*Shoulder=Shoulder*;*Shoulder=*Shoulder;"
  "*Shoulder=Clavicle*;*Shoulder=*Clavicle;*Shoulder=Collar*;*Shoulder=*Collar;*UpperArm=UpperArm*;*UpperArm=*UpperArm;"
  "*UpperArm=Arm*;*UpperArm=*Arm;*LowerArm=Forearm*;*LowerArm=*Forearm;*LowerArm=LowerArm*;*LowerArm=*LowerArm;*LowerArm=Elbow*;"
  "*LowerArm=*Elbow;*Hand=Hand*;*Hand=*Hand;*Hand=Wrist*;*Hand=*Wrist;*Hand=Palm*;*Hand=*Palm;*UpperLeg=Thigh*;*UpperLeg=*Thigh;"
  "*UpperLeg=UpperLeg*;*UpperLeg=*UpperLeg;*UpperLeg=UpLeg*;*UpperLeg=*UpLeg;*LowerLeg=Shin*;*LowerLeg=*Shin;*LowerLeg=Calf*;"
  "*LowerLeg=*Calf;*LowerLeg=LowerLeg*;*LowerLeg=*LowerLeg;*LowerLeg=Knee*;*LowerLeg=*Knee;*Foot=Foot*;*Foot=*Foot;*Foot=Ankle*;"
  "*Foot=*Ankle;*Toes=Toes*;*Toes=*Toes;*Toes=Toe*;*Toes=*Toe;*Toes=ToeBase*;*Toes=*ToeBase;*Eye=Eye*;*Eye=*Eye;";
// clang-format on

/// "Leg" is the whole leg, or the upper one above a shin; below a thigh it is the lower one.
constexpr std::string_view leg_is_upper = "*UpperLeg=Leg*;*UpperLeg=*Leg;", leg_is_lower = "*LowerLeg=Leg*;*LowerLeg=*Leg;";

constexpr Profile profiles[] = {
#include "operations/bones/bone_names.inc"
};

std::string with_side(std::string_view word, std::string_view side) {
  const std::size_t star = word.find('*');
  if (star == std::string_view::npos) return std::string(word);
  return format_text("{}{}{}", word.substr(0, star), side, word.substr(star + 1));
}

/// The name without differences that programs make: case, blanks, points, dashes, underscores.
std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != ' ' && c != '.' && c != '-' && c != '_') out += to_lower(c);
  return out;
}

}  // namespace

std::string_view without_namespace(std::string_view name) {
  if (const std::size_t end = name.find_last_of(":|"); end != std::string_view::npos) name.remove_prefix(end + 1);
  for (const std::string_view prefix : {"mixamorig_", "mixamorig"})
    if (name.starts_with(prefix) && name.size() > prefix.size()) name.remove_prefix(prefix.size());
  return name;
}

std::optional<BoneNames> bone_names_called(std::string_view profile) {
  const auto* const found = std::ranges::find(profiles, profile, &Profile::name);
  if (found == std::end(profiles)) return std::nullopt;
  return static_cast<BoneNames>(found - std::begin(profiles));
}

std::span<const std::string_view> bone_name_profiles() noexcept {
  static constexpr auto names = [] {
    std::array<std::string_view, std::size(profiles)> list;
    std::ranges::transform(profiles, list.begin(), &Profile::name);
    return list;
  }();
  return names;
}

BoneNameTable::BoneNameTable(BoneNames profile) {
  const Profile& row = profiles[static_cast<std::size_t>(profile)];
  const auto add = [this](std::string bone, const std::string& name) {
    equal_.emplace(name, bone);
    loose_.emplace(folded(name), std::move(bone));
  };
  for (std::string_view rest : {row.bones, row.more})
    while (!rest.empty()) {
      const std::size_t end = rest.find(';'), equals = rest.find('=');
      const std::string_view bone = rest.substr(0, equals), name = rest.substr(equals + 1, end - equals - 1);
      rest.remove_prefix(end + 1);
      add(with_side(bone, "left"), with_side(name, row.left));
      if (bone.find('*') != std::string_view::npos) add(with_side(bone, "right"), with_side(name, row.right));
    }
}

std::string_view BoneNameTable::bone(std::string_view name) const {
  name = without_namespace(name);
  if (name.empty()) return {};
  if (const auto found = equal_.find(name); found != equal_.end()) return found->second;
  const auto found = loose_.find(folded(name));
  return found == loose_.end() ? std::string_view() : found->second;
}

std::size_t BoneNameTable::count(std::span<const std::string> names) const {
  std::set<std::string_view> bones;
  for (const std::string& name : names)
    if (const std::string_view found = bone(name); !found.empty()) bones.insert(found);
  return bones.size();
}

BoneNames guess_bone_names(std::span<const std::string> names) {
  std::size_t best = 0, most = 0;
  for (std::size_t profile = 0; profile < std::size(profiles); ++profile) {
    const std::size_t hits = BoneNameTable(static_cast<BoneNames>(profile)).count(names);
    if (hits <= most) continue;
    most = hits;
    best = profile;
  }
  return static_cast<BoneNames>(best);
}

}  // namespace sinew::operations
