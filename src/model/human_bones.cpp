// SPDX-License-Identifier: MIT
#include "model/human_bones.hpp"

#include <algorithm>
#include <iterator>

namespace sinew {

namespace {

constexpr HumanBoneKind kinds[] = {
    {.name = "hips", .required = true},
    {.name = "spine", .parent = "hips", .required = true},
    {.name = "chest", .parent = "spine", .required_in_old = true},
    {.name = "upperChest", .parent = "chest", .needs_parent = true},
    {.name = "neck", .parent = "upperChest", .required_in_old = true},
    {.name = "head", .parent = "neck", .required = true},
    {.name = "leftEye", .parent = "head"},
    {.name = "rightEye", .parent = "head"},
    {.name = "jaw", .parent = "head"},
    {.name = "leftUpperLeg", .parent = "hips", .required = true},
    {.name = "leftLowerLeg", .parent = "leftUpperLeg", .required = true},
    {.name = "leftFoot", .parent = "leftLowerLeg", .required = true},
    {.name = "leftToes", .parent = "leftFoot"},
    {.name = "leftShoulder", .parent = "upperChest"},
    {.name = "leftUpperArm", .parent = "leftShoulder", .required = true},
    {.name = "leftLowerArm", .parent = "leftUpperArm", .required = true},
    {.name = "leftHand", .parent = "leftLowerArm", .required = true},
    {.name = "leftThumbMetacarpal", .old_name = "leftThumbProximal", .parent = "leftHand"},
    {.name = "leftThumbProximal", .old_name = "leftThumbIntermediate", .parent = "leftThumbMetacarpal", .needs_parent = true},
    {.name = "leftThumbDistal", .parent = "leftThumbProximal", .needs_parent = true},
    {.name = "leftIndexProximal", .parent = "leftHand"},
    {.name = "leftIndexIntermediate", .parent = "leftIndexProximal", .needs_parent = true},
    {.name = "leftIndexDistal", .parent = "leftIndexIntermediate", .needs_parent = true},
    {.name = "leftMiddleProximal", .parent = "leftHand"},
    {.name = "leftMiddleIntermediate", .parent = "leftMiddleProximal", .needs_parent = true},
    {.name = "leftMiddleDistal", .parent = "leftMiddleIntermediate", .needs_parent = true},
    {.name = "leftRingProximal", .parent = "leftHand"},
    {.name = "leftRingIntermediate", .parent = "leftRingProximal", .needs_parent = true},
    {.name = "leftRingDistal", .parent = "leftRingIntermediate", .needs_parent = true},
    {.name = "leftLittleProximal", .parent = "leftHand"},
    {.name = "leftLittleIntermediate", .parent = "leftLittleProximal", .needs_parent = true},
    {.name = "leftLittleDistal", .parent = "leftLittleIntermediate", .needs_parent = true},
    {.name = "rightUpperLeg", .parent = "hips", .required = true},
    {.name = "rightLowerLeg", .parent = "rightUpperLeg", .required = true},
    {.name = "rightFoot", .parent = "rightLowerLeg", .required = true},
    {.name = "rightToes", .parent = "rightFoot"},
    {.name = "rightShoulder", .parent = "upperChest"},
    {.name = "rightUpperArm", .parent = "rightShoulder", .required = true},
    {.name = "rightLowerArm", .parent = "rightUpperArm", .required = true},
    {.name = "rightHand", .parent = "rightLowerArm", .required = true},
    {.name = "rightThumbMetacarpal", .old_name = "rightThumbProximal", .parent = "rightHand"},
    {.name = "rightThumbProximal", .old_name = "rightThumbIntermediate", .parent = "rightThumbMetacarpal", .needs_parent = true},
    {.name = "rightThumbDistal", .parent = "rightThumbProximal", .needs_parent = true},
    {.name = "rightIndexProximal", .parent = "rightHand"},
    {.name = "rightIndexIntermediate", .parent = "rightIndexProximal", .needs_parent = true},
    {.name = "rightIndexDistal", .parent = "rightIndexIntermediate", .needs_parent = true},
    {.name = "rightMiddleProximal", .parent = "rightHand"},
    {.name = "rightMiddleIntermediate", .parent = "rightMiddleProximal", .needs_parent = true},
    {.name = "rightMiddleDistal", .parent = "rightMiddleIntermediate", .needs_parent = true},
    {.name = "rightRingProximal", .parent = "rightHand"},
    {.name = "rightRingIntermediate", .parent = "rightRingProximal", .needs_parent = true},
    {.name = "rightRingDistal", .parent = "rightRingIntermediate", .needs_parent = true},
    {.name = "rightLittleProximal", .parent = "rightHand"},
    {.name = "rightLittleIntermediate", .parent = "rightLittleProximal", .needs_parent = true},
    {.name = "rightLittleDistal", .parent = "rightLittleIntermediate", .needs_parent = true},
};

}  // namespace

std::span<const HumanBoneKind> human_bones() { return kinds; }

const HumanBoneKind* find_human_bone(std::string_view name) {
  const auto* const found = std::ranges::find(kinds, name, &HumanBoneKind::name);
  return found == std::end(kinds) ? nullptr : found;
}

const HumanBoneKind* find_old_human_bone(std::string_view name) {
  const auto* const found = std::ranges::find_if(kinds, [&](const HumanBoneKind& kind) { return kind.name_in_old() == name; });
  return found == std::end(kinds) ? nullptr : found;
}

}  // namespace sinew
