// SPDX-License-Identifier: MIT
#include "operations/skeletons/strict_skeletons.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/guard.hpp"

#include "sinew/convert.hpp"

namespace sinew::operations::strict_skeletons_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// Nodes with those parents, one unit above each other; all roots in one scene.
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
  return model;
}

/// Adds a skin bound to its joints at rest, and a root node with a mesh that it moves.
void add_skin(Model& model, std::vector<Index> joints) {
  const std::vector<Affine> world = need(world_transforms(model, model.rest_pose));
  Skin& skin = model.skins.emplace_back();
  skin.slots = std::move(joints);
  skin.bind = Skin::Bind::matrices;
  for (const Index joint : skin.slots) skin.joint_from_mesh.push_back(*inverse(world[joint]));
  model.scenes[0].roots.push_back(static_cast<Index>(model.nodes.size()));
  Node& node = model.nodes.emplace_back();
  node.mesh = 0;
  node.skin = static_cast<Index>(model.skins.size() - 1);
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  model.meshes.resize(1);
}

struct Strict {
  Result<Model> model;
  std::vector<Finding> told;
  [[nodiscard]] const Skeleton& skeleton(std::size_t i = 0) const { return model->skeletons.at(i); }
};

Strict strict(const Model& model, const StrictOptions& options = {}) {
  FindingList told;
  Result<Model> made = make_strict(model, options, told);
  EXPECT_TRUE(made) << made.error().line();
  if (made && !made->skeletons.empty()) {
    // The guarantees of every strict model.
    for (const Skeleton& skeleton : made->skeletons) {
      EXPECT_EQ(skeleton.joints.size(), skeleton.joint_from_mesh.size());
      for (const Index joint : skeleton.joints) {
        const Index parent = made->nodes[joint].parent;
        EXPECT_EQ(joint == skeleton.root, std::ranges::find(skeleton.joints, parent) == skeleton.joints.end());
      }
    }
    const auto world = need(world_transforms(*made, made->rest_pose)), before = need(world_transforms(model, model.rest_pose));
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(world[i], before[i]) << "node " << i << " moved";
  }
  return {std::move(made), told.list()};
}

/// Where the skeleton's default bind puts a joint.
double height(const Skeleton& skeleton, Index joint) {
  const auto at = static_cast<std::size_t>(std::ranges::find(skeleton.joints, joint) - skeleton.joints.begin());
  return inverse(skeleton.joint_from_mesh.at(at))->translation(1);
}

TEST(MakeStrict, TakesTheJointsOfASkinAsTheyAre) {
  Model model = tree({none, 0, 1});
  add_skin(model, {1, 0, 2});
  const Strict made = strict(model);
  EXPECT_THAT(made.skeleton().joints, ElementsAre(1, 0, 2));
  EXPECT_EQ(made.skeleton().root, 0u);
  EXPECT_EQ(made.skeleton().joint_from_mesh, model.skins[0].joint_from_mesh);
  EXPECT_EQ(made.model->skins[0].root_hint, 0u);
  EXPECT_THAT(made.told, IsEmpty());
}

TEST(MakeStrict, AddsWhatLiesBetweenAndBindsItAsItStandsAtRest) {
  Model model = tree({none, 0, 1, 2, 3});
  add_skin(model, {0, 3});
  const Strict made = strict(model);
  EXPECT_THAT(made.skeleton().joints, UnorderedElementsAre(0, 1, 2, 3));
  EXPECT_DOUBLE_EQ(height(made.skeleton(), 1), 2);
  EXPECT_DOUBLE_EQ(height(made.skeleton(), 2), 3);
  ASSERT_EQ(made.told.size(), 1u);
  EXPECT_THAT(made.told[0].message, HasSubstr("and 1 more nodes are between its joints"));
  EXPECT_EQ(made.model->skins[0].slots, model.skins[0].slots);
}

TEST(MakeStrict, MakesTheCommonParentOfSeveralTopsTheRoot) {
  Model model = tree({none, 0, 1, 1, 1});
  add_skin(model, {2, 3});
  const Strict made = strict(model);
  EXPECT_EQ(made.skeleton().root, 1u);
  EXPECT_THAT(made.skeleton().joints, ElementsAre(2, 3, 1));
  EXPECT_DOUBLE_EQ(height(made.skeleton(), 1), 2);
  EXPECT_EQ(made.model->nodes.size(), model.nodes.size());
  EXPECT_THAT(made.told.at(0).message, HasSubstr("node 1, the parent of its 2 topmost joints, becomes its root joint"));
}

/// Expects a new node between node 1 and the joints 2 and 4, with 3 left where it was.
void expect_inserted(const Model& model, const StrictOptions& options, const char* why) {
  const Strict made = strict(model, options);
  ASSERT_TRUE(made.model);
  const auto root = static_cast<Index>(model.nodes.size());
  EXPECT_EQ(made.skeleton().root, root);
  EXPECT_EQ(made.model->nodes.at(root).parent, 1u);
  EXPECT_THAT(made.model->nodes[root].children, ElementsAre(2, 4));
  EXPECT_THAT(made.model->nodes[1].children, ElementsAre(root, 3));
  EXPECT_EQ(made.model->rest_pose.locals.size(), root + 1);
  EXPECT_THAT(made.told.at(0).message, HasSubstr(why));
}

TEST(MakeStrict, InsertsARootWhereTheParentCarriesSomething) {
  Model model = tree({none, 0, 1, 1, 1});
  add_skin(model, {2, 4});
  expect_inserted(model, {{false, true}}, "another attachment");
  model.nodes[1].mesh = 0;
  expect_inserted(model, {}, "another attachment");
}

TEST(MakeStrict, InsertsARootWhereAClipMovesTheParentPastTheMesh) {
  Model model = tree({none, 0, 1, 1, 1});
  add_skin(model, {2, 4});
  Clip& clip = model.clips.emplace_back();
  clip.name = "Walk";
  clip.tracks.emplace_back().node = 1;
  expect_inserted(model, {}, "is moved by the clip \"Walk\"");
  // A mesh below that node moves along.
  const auto mesh_node = static_cast<Index>(model.nodes.size() - 1);
  model.nodes[mesh_node].parent = 1;
  model.nodes[1].children.push_back(mesh_node);
  model.scenes[0].roots.pop_back();
  EXPECT_EQ(strict(model).skeleton().root, 1u);
}

TEST(MakeStrict, InsertsARootForEachOfSeveralSkeletonsOfOneParent) {
  Model model = tree({none, 0, 0, 0, 0});
  add_skin(model, {1, 2});
  add_skin(model, {3, 4});
  const Strict made = strict(model);
  EXPECT_THAT(made.model->nodes[0].children, ElementsAre(7, 8));
  EXPECT_EQ(made.skeleton(0).root, 7u);
  EXPECT_EQ(made.skeleton(1).root, 8u);
}

TEST(MakeStrict, PutsANodeAboveJointsThatAreRoots) {
  Model model = tree({none, none, none});
  add_skin(model, {0, 2});
  const Strict made = strict(model);
  EXPECT_THAT(made.model->scenes[0].roots, ElementsAre(4, 1, 3));
  EXPECT_THAT(made.model->nodes[4].children, ElementsAre(0, 2));
  model.scenes[0].roots = {0};
  FindingList told;
  const auto refused = make_strict(model, {}, told);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().failure, Failure::unsupported);
}

TEST(MakeStrict, RefusesJointsInSeveralTrees) {
  Model model = tree({none, 0, none, 2});
  add_skin(model, {1, 3});
  FindingList told;
  const auto refused = make_strict(model, {}, told);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "SINEW_EDIT_REFUSED");
  EXPECT_THAT(refused.error().message, HasSubstr("one tree"));
}

TEST(MakeStrict, GivesSkinsThatShareJointsOneSkeleton) {
  Model model = tree({none, 0, 1, 0});
  add_skin(model, {0, 1});
  add_skin(model, {1, 2});
  add_skin(model, {3});
  const Strict made = strict(model);
  ASSERT_EQ(made.model->skeletons.size(), 2u);
  EXPECT_THAT(made.skeleton(0).joints, ElementsAre(0, 1, 2));
  EXPECT_THAT(made.skeleton(1).joints, ElementsAre(3));
  EXPECT_DOUBLE_EQ(height(made.skeleton(0), 2), 3);
  EXPECT_EQ(made.model->skins[1].root_hint, 0u);
}

// The joints of the first skin enclose those of the second, which nothing else connects.
TEST(MakeStrict, JoinsSkinsWhoseJointsLieBetweenEachOther) {
  Model model = tree({none, 0, 1, 2});
  add_skin(model, {0, 3});
  add_skin(model, {1, 2});
  const Strict made = strict(model);
  ASSERT_EQ(made.model->skeletons.size(), 1u);
  EXPECT_THAT(made.skeleton().joints, ElementsAre(0, 3, 1, 2));
}

TEST(MakeStrict, StoresMatricesWhereTheFormatImpliesThem) {
  Model model = tree({none, 0});
  add_skin(model, {0, 1});
  model.skins[0].bind = Skin::Bind::identity;
  model.skins[0].joint_from_mesh.clear();
  const Strict made = strict(model);
  EXPECT_EQ(made.model->skins[0].bind, Skin::Bind::matrices);
  EXPECT_THAT(made.model->skins[0].joint_from_mesh, ElementsAre(Affine(3), Affine(3)));
}

TEST(MakeStrict, KeepsSkeletonsThatThereAre) {
  Model model = tree({none, 0, 1});
  add_skin(model, {1});
  Skeleton& skeleton = model.skeletons.emplace_back();
  skeleton.name = "own";
  skeleton.root = 0;
  skeleton.joints = {0, 1};
  const Strict made = strict(model);
  EXPECT_EQ(made.skeleton().name, "own");
  EXPECT_THAT(made.skeleton().joints, ElementsAre(0, 1));
  EXPECT_DOUBLE_EQ(height(made.skeleton(), 1), 2);  // its default bind was the pose at rest
  const Strict again = strict(*made.model);
  EXPECT_EQ(again.skeleton().joints, made.skeleton().joints);
  EXPECT_EQ(again.skeleton().joint_from_mesh, made.skeleton().joint_from_mesh);
}

TEST(DescribeSkeletons, SaysWhatIsMadeOfWhat) {
  Model model = tree({none, 0, 1, 1, 1, 2});
  add_skin(model, {3, 5});
  add_skin(model, {3, 4});
  model.skins[1].joint_from_mesh[0].translation(0) = 1;
  model.skins[1].root_hint = 1;
  const auto accounts = need(describe_skeletons(model));
  ASSERT_EQ(accounts.size(), 1u);
  const SkeletonAccount& account = accounts[0];
  EXPECT_EQ(account.skeleton, none);
  EXPECT_THAT(account.skins, ElementsAre(0, 1));
  EXPECT_THAT(account.joints, ElementsAre(3, 5, 4, 2));
  EXPECT_EQ(account.named, 3u);
  EXPECT_EQ(account.root, none);
  EXPECT_THAT(account.obstacle, IsEmpty());
  EXPECT_THAT(account.notes,
              ElementsAre(HasSubstr("1 node between its joints is not a joint of any skin"),
                          HasSubstr("3 topmost joints and no root. Their parent, node 1, would become the root"),
                          HasSubstr("The skeleton property of skin 1 names node 1, which is the parent of its topmost joints"),
                          HasSubstr("Skins 0 and 1 bind node 3 in different poses")));
}

TEST(DescribeSkeletons, SaysWhyOneCannotBeStrict) {
  Model model = tree({none, 0, none, 2});
  add_skin(model, {1, 3});
  add_skin(model, {0});
  model.skins[1].defect = 0;
  model.defects.emplace_back().message = "it is broken";
  const auto accounts = need(describe_skeletons(model));
  ASSERT_EQ(accounts.size(), 2u);
  EXPECT_THAT(accounts[0].obstacle, HasSubstr("one tree"));
  EXPECT_EQ(accounts[1].obstacle, "it is broken");
}

TEST(MakePlain, GivesSkinsTheMatricesThatTheirSkeletonGaveThem) {
  Model model = tree({none, 0});
  add_skin(model, {1});
  const std::vector<Affine> bound = model.skins[0].joint_from_mesh;
  model.skins[0].bind = Skin::Bind::stored_pose;
  model.skins[0].joint_from_mesh.clear();
  model.skeletons.emplace_back().root = 0;
  model.skeletons[0].joints = {0, 1};
  const auto plain = make_plain(model);
  ASSERT_TRUE(plain);
  EXPECT_THAT(plain->skeletons, IsEmpty());
  EXPECT_EQ(plain->skins[0].bind, Skin::Bind::matrices);
  EXPECT_EQ(plain->skins[0].joint_from_mesh, bound);
}

}  // namespace
}  // namespace sinew::operations::strict_skeletons_test
