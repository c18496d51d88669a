// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/guard.hpp"

#include "sinew/model.hpp"

namespace sinew {
namespace {

using testing::ElementsAre;

/// Nodes by their parents, each with a translation by (node + 1) along x; `none` = a root.
Model tree(const std::vector<Index>& parents) {
  Model model;
  model.nodes.resize(parents.size());
  model.rest_pose.locals.resize(parents.size());
  model.rest_pose.amounts.resize(parents.size());
  for (Index i = 0; i < parents.size(); ++i) {
    model.nodes[i].parent = parents[i];
    if (parents[i] != none) model.nodes[parents[i]].children.push_back(i);
    model.rest_pose.locals[i].translation = {static_cast<double>(i) + 1, 0, 0};
  }
  return model;
}

TEST(AffineOf, ComposesTranslationRotationScale) {
  const double c = std::sqrt(0.5);
  LocalTransform local;
  local.translation = {1, 2, 3};
  local.rotor = {c, c, 0, 0};  // a quarter turn from x to y
  local.scale = {2, 3, 4};
  const Affine map = affine_of(3, local);
  std::vector<double> point{1, 1, 1};
  map.apply(point, point);
  EXPECT_NEAR(point[0], 1 - 3, 1e-14);
  EXPECT_NEAR(point[1], 2 + 2, 1e-14);
  EXPECT_NEAR(point[2], 3 + 4, 1e-14);
}

TEST(AffineOf, AbsentPartsAreNeutral) { EXPECT_EQ(affine_of(4, {}), Affine(4)); }

TEST(AffineOf, BasisStandsInsteadOfRotorAndScale) {
  LocalTransform local;
  local.translation = {5, 6};
  local.basis = {1, 2, 3, 4};
  local.scale = {100, 100};
  const Affine map = affine_of(2, local);
  EXPECT_EQ(map(1, 0), 2);
  EXPECT_EQ(map(0, 1), 3);
  EXPECT_EQ(map.translation(1), 6);
}

TEST(AffineOf, RotorsAreUsedAsStored) {
  LocalTransform local;
  local.rotor = {2, 0, 0, 1};  // not unit: 1 − 2·1² and 2·2·1
  EXPECT_EQ(affine_of(3, local)(1, 1), -1);
  EXPECT_EQ(affine_of(3, local)(2, 1), 4);
}

TEST(WorldTransforms, ParentsMayFollowTheirChildren) {
  const Model model = tree({2, 0, none, none});  // 2 → 0 → 1, and 3 alone
  const auto world = need(world_transforms(model, model.rest_pose));
  EXPECT_EQ(world[2].translation(0), 3);
  EXPECT_EQ(world[0].translation(0), 3 + 1);
  EXPECT_EQ(world[1].translation(0), 3 + 1 + 2);
  EXPECT_EQ(world[3].translation(0), 4);
}

TEST(WorldTransforms, AreTheProductsOfLocalTransformsInAnyDimension) {
  for (const std::size_t n : {1U, 2U, 3U, 4U, 5U, 6U, 17U}) {
    Model model = tree({none, 0, 1});
    model.dimension = n;
    for (std::size_t i = 0; i < 3; ++i) {
      LocalTransform& local = model.rest_pose.locals[i];
      local = {};
      if (i != 1) local.scale.assign(n, -1.5);
      if (i != 0) local.translation.assign(n, 0.25 + static_cast<double>(i));
      if (i == 2) local.basis.assign(n * n, 0.5);
      if (i == 1 && n < 17) {
        local.rotor.assign(n < 3 ? 1 : 2, 0.6);  // the rest is 0
        local.rotor[local.rotor.size() - 1] = 0.8;
      }
    }
    const auto world = need(world_transforms(model, model.rest_pose));
    Affine expected(n);
    for (std::size_t i = 0; i < 3; ++i) {
      expected = expected * affine_of(n, model.rest_pose.locals[i]);
      if (i == 0) expected = affine_of(n, model.rest_pose.locals[i]);
      EXPECT_EQ(world[i], expected) << n << ", node " << i;
    }
  }
}

TEST(WorldTransforms, DeepChainsDoNotRecurse) {
  constexpr Index depth = 200'000;
  std::vector<Index> parents(depth);
  for (Index i = 0; i < depth; ++i) parents[i] = i + 1;
  parents.back() = none;  // the root comes last
  Model model = tree(parents);
  for (LocalTransform& local : model.rest_pose.locals) local.translation = {1, 0, 0};
  EXPECT_EQ(need(world_transforms(model, model.rest_pose))[0].translation(0), depth);
  EXPECT_EQ(need(reached_nodes(model)).size(), depth);
}

TEST(WorldTransforms, EndOnCyclesOfDefectiveNodes) {
  Model model = tree({none, none});
  model.nodes[0].parent = 1;
  model.nodes[1].parent = 0;
  EXPECT_EQ(need(world_transforms(model, model.rest_pose)).size(), 2u);
}

TEST(Scene, WithoutScenesAllParentlessNodesAreRoots) {
  EXPECT_THAT(need(reached_nodes(tree({2, 0, none, none}))), ElementsAre(0, 1, 2, 3));
}

TEST(Scene, TheDefaultOneOrTheOneThatIsNamed) {
  Model model = tree({none, 0, none, none});
  model.scenes.resize(2);
  model.scenes[0].roots = {2};
  model.scenes[1].roots = {3, 0};
  model.default_scene = 1;
  EXPECT_THAT(need(reached_nodes(model)), ElementsAre(0, 1, 3));
  EXPECT_THAT(need(reached_nodes(model, 0)), ElementsAre(2));
}

TEST(Instances, AreReachedNodesWithMeshesInOrder) {
  Model model = tree({2, 0, none, none});
  model.meshes.resize(2);
  model.nodes[1].mesh = 0;
  model.nodes[2].mesh = 1;
  model.nodes[2].skin = 0;
  model.nodes[3].mesh = 0;
  model.scenes.resize(1);
  model.scenes[0].roots = {2};
  model.default_scene = 0;
  const auto list = need(instances(model));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].node, 1u);
  EXPECT_EQ(list[1].node, 2u);
  EXPECT_EQ(list[1].mesh, 1u);
  EXPECT_EQ(list[1].skin, 0u);
  EXPECT_EQ(list[0].skin, none);
}

TEST(Instances, AreHiddenBelowAHiddenNode) {
  Model model = tree({none, 0, 1, none});
  model.meshes.resize(1);
  model.nodes[2].mesh = model.nodes[3].mesh = 0;
  model.nodes[0].visible = false;
  const auto list = need(instances(model));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_FALSE(list[0].visible);
  EXPECT_TRUE(list[1].visible);
}

/// A mesh at node 3 (below 2), skinned to node 1 (below 0); node 4 stands apart.
class ClosureDefect : public testing::Test {
 protected:
  ClosureDefect() {
    model.meshes.resize(1);
    model.meshes[0].surfaces.resize(1);
    model.meshes[0].shapes.resize(1);
    model.skins.resize(2);
    model.skins[0].slots = {none, 1};
    model.clips.resize(1);
    model.nodes[3].mesh = 0;
    model.nodes[3].skin = 0;
    model.defects = {{Failure::input, "ZERO", {}, ""}, {Failure::input, "ONE", {}, ""}};
  }
  [[nodiscard]] std::string code(Index clip = none) const {
    const auto found = closure_defect(model, none, clip);
    return found ? found->code : "";
  }
  Model model = tree({none, 0, none, 2, none});
};

TEST_F(ClosureDefect, IsNothingWhereAllIsWell) { EXPECT_EQ(code(0), ""); }

TEST_F(ClosureDefect, IsNothingWhereOnlyOthersAreBroken) {
  model.nodes[4].defect = model.skins[1].defect = model.clips[0].defect = 1;
  EXPECT_EQ(code(), "");
}

TEST_F(ClosureDefect, ReachesEverythingThatDeformationNeeds) {
  const std::vector<Entity*> needed{&model.nodes[0],
                                    &model.nodes[1],
                                    &model.nodes[2],
                                    &model.nodes[3],
                                    &model.meshes[0],
                                    &model.meshes[0].surfaces[0],
                                    &model.meshes[0].shapes[0],
                                    &model.skins[0]};
  for (Entity* entity : needed) {
    entity->defect = 1;
    EXPECT_EQ(code(), "ONE") << entity - needed[0];
    entity->defect = none;
  }
  model.scenes.resize(1);
  model.scenes[0].roots = {2, 0};
  model.scenes[0].defect = 1;
  EXPECT_EQ(code(), "");  // not the scene that is drawn
  model.default_scene = 0;
  EXPECT_EQ(code(), "ONE");
  model.scenes[0].defect = none;
  model.skins[0].frame = 4;
  model.nodes[4].defect = 1;
  EXPECT_EQ(code(), "ONE");
}

TEST_F(ClosureDefect, CountsTheClipWhereOneIsSampled) {
  model.clips[0].defect = 1;
  EXPECT_EQ(code(0), "ONE");
}

TEST_F(ClosureDefect, NamesTheFirst) {
  model.nodes[3].defect = 0;
  model.skins[0].defect = 1;
  EXPECT_EQ(code(), "ZERO");
}

}  // namespace
}  // namespace sinew
