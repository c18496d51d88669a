// SPDX-License-Identifier: MIT
#include "operations/skeletons/bone_skeletons.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <initializer_list>

namespace sinew::operations {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Nodes with those parents, one unit above each other; all roots in one scene. One mesh of one vertex, with influences.
Model tree(std::initializer_list<Index> parents) {
  Model model;
  model.format = "glTF";
  Scene& scene = model.scenes.emplace_back();
  model.default_scene = 0;
  for (const Index parent : parents) {
    const auto node = static_cast<Index>(model.nodes.size());
    model.nodes.emplace_back().parent = parent;
    if (parent == none)
      scene.roots.push_back(node);
    else
      model.nodes[parent].children.push_back(node);
    model.rest_pose.locals.emplace_back().translation.assign(std::array<double, 3>{0, 1, 0});
    model.rest_pose.amounts.emplace_back();
  }
  VertexBlock& block = model.meshes.emplace_back().blocks.emplace_back();
  block.vertices = 1;
  block.influences.sets.push_back({Array::own(std::vector<std::uint8_t>{0, 1, 0, 0}, 4), Array::own(std::vector<float>{1, 0, 0, 0}, 4)});
  return model;
}

void skin(Model& model, Index node, std::vector<Index> joints) {
  model.nodes[node].mesh = 0;
  model.nodes[node].skin = static_cast<Index>(model.skins.size());
  Skin& added = model.skins.emplace_back();
  added.slots = std::move(joints);
  added.bind = Skin::Bind::matrices;
  added.joint_from_mesh.assign(added.slots.size(), Affine(3));
}

Model bones(const Model& model, const StrictOptions& options = {}) {
  FindingList told;
  Result<Model> made = make_bones(model, options, told);
  EXPECT_TRUE(made) << made.error().line();
  return made ? std::move(*made) : Model();
}

std::string refusal(const Model& model, const StrictOptions& options = {}) {
  FindingList told;
  const Result<Model> made = make_bones(model, options, told);
  EXPECT_FALSE(made);
  return made ? std::string() : made.error().message;
}

TEST(MakeBones, NamesTheNodeAboveTheJointsAndMovesTheMeshBelowIt) {
  Model model = tree({none, 0, 1, 2, none});  // 1 is above the joints 2 and 3
  skin(model, 4, {2, 3});
  const Model made = bones(model);
  EXPECT_EQ(made.skins[0].root_hint, 1u);
  EXPECT_THAT(made.nodes[1].children, ElementsAre(2, 4));
  EXPECT_EQ(made.nodes[4].parent, 1u);
  EXPECT_EQ(made.rest_pose.locals[4], LocalTransform());
  EXPECT_THAT(made.scenes[0].roots, ElementsAre(0));
  EXPECT_FALSE(made.nodes[1].bone.has_value());
  EXPECT_TRUE(made.nodes[2].bone && made.nodes[3].bone);
}

TEST(MakeBones, PutsARootAboveBonesThatHaveNone) {
  Model model = tree({none, 0, none});
  skin(model, 2, {0, 1});
  const Model made = bones(model);
  EXPECT_EQ(made.skins[0].root_hint, 3u);
  EXPECT_THAT(made.nodes[3].children, ElementsAre(0, 2));
  EXPECT_THAT(made.scenes[0].roots, ElementsAre(3));
}

TEST(MakeBones, MovesWhatABoneDrawsToAChild) {
  Model model = tree({none, 0, 1, none});
  skin(model, 3, {1, 2});
  model.nodes[2].mesh = 0;
  model.rest_pose.amounts[2] = {0.5};
  Track& track = model.clips.emplace_back().tracks.emplace_back();
  track.node = 2;
  track.path = TrackPath::amounts;
  const Model made = bones(model);
  EXPECT_EQ(made.nodes[2].mesh, none);
  ASSERT_EQ(made.nodes.size(), 5u);
  EXPECT_EQ(made.nodes[4].parent, 2u);
  EXPECT_EQ(made.nodes[4].mesh, 0u);
  EXPECT_THAT(made.rest_pose.amounts[4], ElementsAre(0.5));
  EXPECT_EQ(made.clips[0].tracks[0].node, 4u);
}

TEST(MakeBones, GivesAMeshWhoseNodeHasOtherUsesANodeOfItsOwn) {
  Model model = tree({none, 0, 1});
  skin(model, 0, {1, 2});  // the mesh's node is above the joints
  const Model made = bones(model);
  EXPECT_EQ(made.nodes[0].mesh, none);
  EXPECT_EQ(made.nodes.at(3).mesh, 0u);
  EXPECT_EQ(made.nodes[3].skin, 0u);
  EXPECT_EQ(made.nodes[3].parent, 0u);
}

TEST(MakeBones, ReadsALengthFromALeafThatDoesNothingElse) {
  Model model = tree({none, 0, 1, none, 2});
  skin(model, 3, {1, 2, 4});
  model.rest_pose.locals[4].translation.assign(std::array<double, 3>{0, 0.25, 0});
  const Model made = bones(model);
  EXPECT_EQ(made.nodes[2].bone->length, 0.25);
  EXPECT_EQ(made.nodes[1].bone->length, std::nullopt);  // its child is a bone
  model.rest_pose.locals[4].translation.assign(std::array<double, 3>{0.1, 0.25, 0});
  EXPECT_EQ(bones(model).nodes[2].bone->length, std::nullopt);
}

TEST(MakeBones, RefusesWhatCannotBeMoved) {
  Model model = tree({none, 0, 1, none});
  skin(model, 3, {1, 2});
  EXPECT_THAT(refusal(model, {{false, true}}), HasSubstr("a camera or a light"));
  Model elsewhere = model;
  elsewhere.scenes.emplace_back().roots = {3};
  EXPECT_THAT(refusal(elsewhere), HasSubstr("in different scenes"));
  Model partly = model;
  partly.meshes[0].blocks.emplace_back().vertices = 1;
  EXPECT_THAT(refusal(partly), HasSubstr("vertices without joints"));
  Model hidden = model;
  hidden.nodes[0].visible = false;
  EXPECT_THAT(refusal(hidden), HasSubstr("hidden"));
}

}  // namespace
}  // namespace sinew::operations
