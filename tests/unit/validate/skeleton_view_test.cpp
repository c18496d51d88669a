// SPDX-License-Identifier: MIT
#include "validate/skeleton_view.hpp"

#include <gmock/gmock.h>

#include "rig.hpp"

namespace sinew::validate {
namespace {

using test::rig;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(SkeletonView, FindsBonesTopsAndFrame) {
  const SkeletonView view = view_skeletons(rig());
  ASSERT_EQ(view.rigs.size(), 1u);
  EXPECT_THAT(view.rigs[0].bones, ElementsAre(2, 3));
  EXPECT_THAT(view.rigs[0].tops, ElementsAre(2));
  EXPECT_EQ(view.rigs[0].frame, 1u);
  EXPECT_THAT(view.rigs[0].gaps, IsEmpty());
  EXPECT_THAT(view.rigs[0].meshes, ElementsAre(0));
  EXPECT_FALSE(view.rigs[0].is_listed);
}

TEST(SkeletonView, FindsGapsAndSeveralTops) {
  Model model = rig();
  model.nodes.resize(6);
  model.rest_pose.locals.resize(6);
  model.nodes[2].children = {4};  // a plain node between the bones
  model.nodes[4].parent = 2;
  model.nodes[4].children = {3};
  model.nodes[3].parent = 4;
  model.nodes[5].parent = 1;  // one more bone beside the root
  model.nodes[1].children = {2, 5};
  model.skins[0].slots.push_back(5);
  const SkeletonView view = view_skeletons(model);
  ASSERT_EQ(view.rigs.size(), 1u);
  EXPECT_THAT(view.rigs[0].tops, ElementsAre(2, 5));
  ASSERT_EQ(view.rigs[0].gaps.size(), 1u);
  EXPECT_EQ(view.rigs[0].gaps[0].node, 4u);
  EXPECT_EQ(view.rigs[0].gaps[0].below, 3u);
}

TEST(SkeletonView, JoinsSkinsThatShareJointsOrNameOneSkeleton) {
  Model model = rig();
  model.skins[0].slots = {2};
  model.skins.push_back(model.skins[0]);
  model.skins[1].slots = {3};
  EXPECT_EQ(view_skeletons(model).rigs.size(), 2u);
  model.skins[0].root_hint = model.skins[1].root_hint = 1;
  EXPECT_EQ(view_skeletons(model).rigs.size(), 1u);
  model.skins[1].root_hint = none;
  model.skins[1].slots = {2, 3};
  EXPECT_THAT(view_skeletons(model).rigs.at(0).skins, ElementsAre(0, 1));
}

TEST(SkeletonView, TakesMarkedBonesToTheBonesNextToThem) {
  Model model = rig();
  model.skins[0].slots = {3};
  model.nodes[2].bone.emplace();
  const SkeletonView view = view_skeletons(model);
  ASSERT_EQ(view.rigs.size(), 1u);
  EXPECT_THAT(view.rigs[0].bones, ElementsAre(2, 3));
}

}  // namespace
}  // namespace sinew::validate
