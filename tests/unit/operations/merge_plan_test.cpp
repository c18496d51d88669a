// SPDX-License-Identifier: MIT
#include "operations/merge/merge_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/guard.hpp"
#include "operations/bones/bone_names.hpp"
#include "operations/merge/bone_prefixes.hpp"

namespace sinew::operations::merge_plan_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Bone {
  std::string_view name;
  Index parent = none;
  std::array<double, 3> place;  ///< in its parent
};

/// Bones, then a node "Mesh" with a triangle one unit high whose skin has all of them in order; nothing else.
Model rig(const std::vector<Bone>& bones) {
  Model model;
  model.format = "glTF";
  Skin& skin = model.skins.emplace_back();
  skin.bind = Skin::Bind::matrices;
  for (const Bone& bone : bones) {
    const auto index = static_cast<Index>(model.nodes.size());
    Node& node = model.nodes.emplace_back();
    node.name = bone.name;
    node.parent = bone.parent;
    if (bone.parent != none) model.nodes[bone.parent].children.push_back(index);
    model.rest_pose.locals.emplace_back().translation.assign(std::span<const double>(bone.place));
    skin.slots.push_back(index);
  }
  VertexBlock block;
  block.vertices = 3;
  block.attributes.push_back({Semantic::position, 0, {}, Array::own(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0}, 3), {}, {}});
  block.influences.sets.push_back(
      {Array::own(std::vector<std::uint8_t>(12), 4), Array::own(std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4)});
  model.meshes.emplace_back().blocks.push_back(std::move(block));
  model.meshes.back().surfaces.emplace_back();
  Node& drawn = model.nodes.emplace_back();
  drawn.name = "Mesh";
  drawn.mesh = drawn.skin = 0;
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.resize(model.nodes.size());
  const std::vector<Affine> world = need(world_transforms(model, model.rest_pose));
  for (const Index slot : skin.slots) skin.joint_from_mesh.push_back(*inverse(world[slot]));
  return model;
}

Model body() { return rig({{"Hips", none, {0, 1, 0}}, {"Arm", 0, {0.5, 0, 0}}}); }

Result<MergePlan> plan(const Model& clothes, const PlanOptions& options = {}) {
  FindingList notes;
  return plan_merge(body(), clothes, options, notes);
}

TEST(MergePlan, BonesOfOneNameBecomeOneAndOthersHangOnTheNearest) {
  const auto made = plan(rig({{"Arm", none, {0.5, 1, 0}}, {"Cuff", 0, {0.25, 0, 0}}}));
  ASSERT_TRUE(made) << made.error().line();
  EXPECT_THAT(made->nodes.meaning, ElementsAre(1, 3, 4));
  EXPECT_THAT(made->nodes.place, ElementsAre(none, 3, 4));
  EXPECT_EQ(made->nodes.parent[1], 1u);
  EXPECT_FALSE(made->locals[1]) << "the arm is where it was";
  EXPECT_TRUE(made->joint_from_mesh[0].empty()) << "so are its bind matrices";
}

TEST(MergePlan, MatricesMakeUpForOtherAxes) {
  Model clothes = rig({{"Arm", none, {0.5, 1, 0}}});
  clothes.rest_pose.locals[0].rotor = {0.6, 0.8, 0, 0};
  clothes.skins[0].joint_from_mesh[0] = *inverse(need(world_transforms(clothes, clothes.rest_pose))[0]);
  const auto made = plan(clothes);
  ASSERT_TRUE(made) << made.error().line();
  ASSERT_EQ(made->joint_from_mesh[0].size(), 1u);
  const Affine rest = need(world_transforms(body(), body().rest_pose))[1] * made->joint_from_mesh[0][0];
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(rest.values()[i], Affine(3).values()[i], 1e-12);
}

TEST(MergePlan, PivotsFurtherApartThanAHundredthAreRefused) {
  // The diagonal of the body is √2.
  EXPECT_TRUE(plan(rig({{"Arm", none, {0.514, 1, 0}}})));
  const auto refused = plan(rig({{"Arm", none, {0.515, 1, 0}}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "SINEW_MERGE_DOES_NOT_FIT");
  EXPECT_THAT(refused.error().message, HasSubstr("\"Arm\" is 0.015 away"));
}

TEST(MergePlan, ABoneOfTheBodyIsTakenOnce) {
  PlanOptions options;
  options.rename = {{"Sleeve", "Arm"}};
  const auto refused = plan(rig({{"Arm", none, {0.5, 1, 0}}, {"Sleeve", 0, {0, 0, 0}}}), options);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("would both become \"Arm\""));
  options.keep_separate = {"Arm"};
  const auto apart = plan(rig({{"Arm", none, {0.5, 1, 0}}, {"Sleeve", 0, {0, 0, 0}}}), options);
  ASSERT_TRUE(apart) << apart.error().line();
  EXPECT_THAT(apart->nodes.place, ElementsAre(3, 4, 5));
}

TEST(MergePlan, JointsThatTheBodyFlattensAreRefused) {
  Model flat = body();
  flat.rest_pose.locals[1].scale = {1, 1, 0};
  FindingList notes;
  const auto refused = plan_merge(flat, rig({{"Arm", none, {0.5, 1, 0}}}), {}, notes);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("has no inverse"));
}

std::string_view bone_called(std::string_view profile, std::string_view name) {
  static std::map<std::string, BoneNameTable, std::less<>> tables;
  const auto found = tables.try_emplace(std::string(profile), *bone_names_called(profile)).first;
  return found->second.bone(name);
}

TEST(BoneNames, MeanTheSameInAllProfiles) {
  EXPECT_EQ(bone_called("mixamo", "mixamorig:LeftArm"), "leftUpperArm");
  EXPECT_EQ(bone_called("blender", "upper_arm.L"), "leftUpperArm");
  EXPECT_EQ(bone_called("kaykit", "upperarm.l"), "leftUpperArm");
  EXPECT_EQ(bone_called("kaykit", "UpperArm_L"), "leftUpperArm") << "case and points do not count";
  EXPECT_EQ(bone_called("rigify_def", "DEF-upper_arm.R"), "rightUpperArm");
  EXPECT_EQ(bone_called("vrm0", "leftThumbIntermediate"), "leftThumbProximal");
  EXPECT_EQ(bone_called("unreal", "upperarm_r"), "rightUpperArm");
  EXPECT_EQ(bone_called("g4mf", "LeftPinkyDistal"), "leftLittleDistal");
  EXPECT_EQ(bone_called("vrm", "leftUpperArm"), "leftUpperArm");
  EXPECT_EQ(bone_called("mixamo", "Forehead"), "") << "whole names, not their ends";
  EXPECT_EQ(bone_called("vroid", "J_Bip_R_UpperArm"), "rightUpperArm");
  EXPECT_EQ(bone_called("khronos", "Skeleton_arm_joint_L__3_"), "leftLowerArm");
  EXPECT_EQ(bone_called("khronos", "arm_joint_R_2"), "rightLowerArm");
  EXPECT_EQ(guess_bone_names(std::vector<std::string>{"spine", "thigh.L", "shin.L"}), bone_names_called("blender"));
  EXPECT_EQ(guess_bone_names(std::vector<std::string>{"mixamorig:Hips", "mixamorig:LeftUpLeg"}), bone_names_called("mixamo"));
}

TEST(BonePrefixes, ArePairedWhereTheRestIsUnique) {
  using Names = std::vector<std::string>;
  const Names body{"Hips", "Spine", "Hat"};
  EXPECT_THAT(pair_without_prefixes(Names{"Rig|Spine", "a:Hips"}, body), ElementsAre(1, 0));
  EXPECT_THAT(pair_without_prefixes(Names{"xHips", "xSpine"}, body), ElementsAre(0, 1)) << "a prefix that all names share";
  EXPECT_THAT(pair_without_prefixes(Names{"one_Spine", "one_Hips"}, Names{"two_Hips", "two_Spine"}), ElementsAre(1, 0));
  EXPECT_THAT(pair_without_prefixes(Names{"a:Hips", "b:Hips"}, body), ElementsAre(none, none)) << "which of both is not known";
  EXPECT_THAT(pair_without_prefixes(Names{"J_Bip_L_Hand", "J_Bip_R_Hand"}, Names{"Hand"}), ElementsAre(none, none));
  EXPECT_THAT(pair_without_prefixes(Names{"Tail", ""}, body), ElementsAre(none, none));
  EXPECT_THAT(pair_without_prefixes(Names{}, body), ElementsAre());
}

}  // namespace
}  // namespace sinew::operations::merge_plan_test
