// SPDX-License-Identifier: MIT
#include "operations/merge/bone_names.hpp"

#include <algorithm>
#include <array>

#include "base/message.hpp"

namespace sinew::operations {

namespace {

constexpr std::size_t profiles = static_cast<std::size_t>(BoneNames::count);
constexpr std::array<std::string_view, profiles> profile_names = {"vrm", "g4mf", "mixamo", "blender", "unreal", "vroid"};

/// The names of one bone in each profile; empty if a profile has none. For a pair of bones, the left one, with its side written "*".
struct Bone {
  std::array<std::string_view, profiles> words;
};

// VRM 1.0 (humanoid.md), G4MF (character avatars), Mixamo and Ready Player Me, Rigify's metarig in Blender, Unreal's mannequin,
// VRoid Studio.
constexpr Bone bones[] = {
    {{"hips", "Hips", "Hips", "spine", "pelvis", "J_Bip_C_Hips"}},
    {{"spine", "Spine", "Spine", "spine.001", "spine_01", "J_Bip_C_Spine"}},
    {{"chest", "Chest", "Spine1", "spine.002", "spine_02", "J_Bip_C_Chest"}},
    {{"upperChest", "Chest1", "Spine2", "spine.003", "spine_03", "J_Bip_C_UpperChest"}},
    {{"neck", "Neck", "Neck", "spine.004", "neck_01", "J_Bip_C_Neck"}},
    {{"head", "Head", "Head", "spine.006", "head", "J_Bip_C_Head"}},
    {{"jaw", "Jaw", "", "jaw", "", ""}},
    {{"*Eye", "*Eye", "*Eye", "eye*", "", "J_Adj_*_FaceEye"}},
    {{"*Shoulder", "*Shoulder", "*Shoulder", "shoulder*", "clavicle*", "J_Bip_*_Shoulder"}},
    {{"*UpperArm", "*UpperArm", "*Arm", "upper_arm*", "upperarm*", "J_Bip_*_UpperArm"}},
    {{"*LowerArm", "*LowerArm", "*ForeArm", "forearm*", "lowerarm*", "J_Bip_*_LowerArm"}},
    {{"*Hand", "*Hand", "*Hand", "hand*", "hand*", "J_Bip_*_Hand"}},
    {{"*UpperLeg", "*UpperLeg", "*UpLeg", "thigh*", "thigh*", "J_Bip_*_UpperLeg"}},
    {{"*LowerLeg", "*LowerLeg", "*Leg", "shin*", "calf*", "J_Bip_*_LowerLeg"}},
    {{"*Foot", "*Foot", "*Foot", "foot*", "foot*", "J_Bip_*_Foot"}},
    {{"*Toes", "*Toes", "*ToeBase", "toe*", "ball*", "J_Bip_*_ToeBase"}},
    {{"*ThumbMetacarpal", "*ThumbMetacarpal", "*HandThumb1", "thumb.01*", "thumb_01*", "J_Bip_*_Thumb1"}},
    {{"*ThumbProximal", "*ThumbProximal", "*HandThumb2", "thumb.02*", "thumb_02*", "J_Bip_*_Thumb2"}},
    {{"*ThumbDistal", "*ThumbDistal", "*HandThumb3", "thumb.03*", "thumb_03*", "J_Bip_*_Thumb3"}},
    {{"*IndexProximal", "*IndexProximal", "*HandIndex1", "f_index.01*", "index_01*", "J_Bip_*_Index1"}},
    {{"*IndexIntermediate", "*IndexIntermediate", "*HandIndex2", "f_index.02*", "index_02*", "J_Bip_*_Index2"}},
    {{"*IndexDistal", "*IndexDistal", "*HandIndex3", "f_index.03*", "index_03*", "J_Bip_*_Index3"}},
    {{"*MiddleProximal", "*MiddleProximal", "*HandMiddle1", "f_middle.01*", "middle_01*", "J_Bip_*_Middle1"}},
    {{"*MiddleIntermediate", "*MiddleIntermediate", "*HandMiddle2", "f_middle.02*", "middle_02*", "J_Bip_*_Middle2"}},
    {{"*MiddleDistal", "*MiddleDistal", "*HandMiddle3", "f_middle.03*", "middle_03*", "J_Bip_*_Middle3"}},
    {{"*RingProximal", "*RingProximal", "*HandRing1", "f_ring.01*", "ring_01*", "J_Bip_*_Ring1"}},
    {{"*RingIntermediate", "*RingIntermediate", "*HandRing2", "f_ring.02*", "ring_02*", "J_Bip_*_Ring2"}},
    {{"*RingDistal", "*RingDistal", "*HandRing3", "f_ring.03*", "ring_03*", "J_Bip_*_Ring3"}},
    {{"*LittleProximal", "*PinkyProximal", "*HandPinky1", "f_pinky.01*", "pinky_01*", "J_Bip_*_Little1"}},
    {{"*LittleIntermediate", "*PinkyIntermediate", "*HandPinky2", "f_pinky.02*", "pinky_02*", "J_Bip_*_Little2"}},
    {{"*LittleDistal", "*PinkyDistal", "*HandPinky3", "f_pinky.03*", "pinky_03*", "J_Bip_*_Little3"}},
};

constexpr std::array<std::array<std::string_view, 2>, profiles> sides = {
    {{"left", "right"}, {"Left", "Right"}, {"Left", "Right"}, {".L", ".R"}, {"_l", "_r"}, {"L", "R"}}};

std::string with_side(std::string_view word, std::size_t profile, std::size_t side) {
  const std::size_t star = word.find('*');
  if (star == std::string_view::npos) return std::string(word);
  return format_text("{}{}{}", word.substr(0, star), sides[profile][side], word.substr(star + 1));
}

}  // namespace

std::string_view without_namespace(std::string_view name) {
  if (const std::size_t end = name.find_last_of(":|"); end != std::string_view::npos) name.remove_prefix(end + 1);
  for (const std::string_view prefix : {"mixamorig_", "mixamorig"})
    if (name.starts_with(prefix) && name.size() > prefix.size()) name.remove_prefix(prefix.size());
  return name;
}

std::optional<BoneNames> bone_names_called(std::string_view profile) {
  const auto* const found = std::ranges::find(profile_names, profile);
  if (found == profile_names.end()) return std::nullopt;
  return static_cast<BoneNames>(found - profile_names.begin());
}

std::vector<std::string_view> bone_name_profiles() { return {profile_names.begin(), profile_names.end()}; }

std::string human_bone(BoneNames profile, std::string_view name) {
  const auto column = static_cast<std::size_t>(profile);
  name = without_namespace(name);
  for (const Bone& bone : bones) {
    const std::string_view word = bone.words[column];
    if (word.empty()) continue;
    const std::size_t variants = word.find('*') == std::string_view::npos ? 1 : 2;
    for (std::size_t side = 0; side < variants; ++side)
      if (with_side(word, column, side) == name) return with_side(bone.words.front(), 0, side);
  }
  return {};
}

BoneNames guess_bone_names(std::span<const std::string> names) {
  std::size_t best = 0;
  std::ptrdiff_t most = -1;
  for (std::size_t profile = 0; profile < profiles; ++profile) {
    const auto hits =
        std::ranges::count_if(names, [&](const std::string& name) { return !human_bone(static_cast<BoneNames>(profile), name).empty(); });
    if (hits <= most) continue;
    most = hits;
    best = profile;
  }
  return static_cast<BoneNames>(best);
}

}  // namespace sinew::operations
