// SPDX-License-Identifier: MIT
#include "validate/model_rules.hpp"

#include <gmock/gmock.h>

#include "rig.hpp"
#include "validate/influence_scan.hpp"

namespace sinew::validate {
namespace {

using test::rig;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string_view> check(const Model& model) {
  FindingList found;
  check_model(model, found);
  return test::codes(found);
}

TEST(ModelRules, AreQuietOnASoundRigOfAnyDimension) {
  for (const std::size_t dimension : {2U, 3U, 4U, 6U}) EXPECT_THAT(check(rig(dimension)), IsEmpty()) << dimension;
}

TEST(BindNotRest, IsNotWhatPlacesAllJointsAlike) {
  Model model = rig();
  model.rest.locals[1].translation = {1, 0, 0};
  EXPECT_THAT(check(model), IsEmpty());
  model.rest.locals[1].scale = {1.5, 1.5, 1.5};
  EXPECT_THAT(check(model), IsEmpty());
}

TEST(BindNotRest, TellsHowFarTheWorstJointMovesTheMesh) {
  Model model = rig();
  model.rest.locals[3].translation = {0.5, 1, 0};  // the tip and all that it moves: half a unit to the side
  FindingList found;
  check_model(model, found);
  ASSERT_THAT(test::codes(found), ElementsAre("SINEW_BIND_NOT_REST"));
  EXPECT_THAT(found.list()[0].message, testing::HasSubstr("1 of 2 joints"));
  EXPECT_THAT(found.list()[0].message, testing::HasSubstr("joint 1 (node 3) the farthest, by 0.5"));
}

TEST(BindNotRest, IsNotRounding) {
  Model model = rig();
  model.rest.locals[3].translation = {1e-5, 1, 0};
  EXPECT_THAT(check(model), IsEmpty());
}

TEST(BindNotRest, CountsIdentitiesWhereTheSkinHasNoMatrices) {
  Model model = rig();
  model.skins[0].bind = Skin::Bind::identity;
  model.skins[0].joint_from_mesh.clear();
  EXPECT_THAT(check(model), ElementsAre("SINEW_BIND_NOT_REST"));
  model.skins[0].bind = Skin::Bind::stored_pose;
  EXPECT_THAT(check(model), IsEmpty());
}

TEST(BindConflict, IsNotADifferentPlaceOfTheMesh) {
  Model model = rig();
  model.nodes.emplace_back().mesh = 0;
  model.nodes[4].skin = 1;
  model.rest.locals.emplace_back();
  model.rest.amounts.emplace_back();
  model.skins.push_back(model.skins[0]);
  for (Affine& matrix : model.skins[1].joint_from_mesh) matrix = matrix * test::moved({0.25, 0, 0});
  EXPECT_THAT(check(model), IsEmpty());
  model.skins[1].joint_from_mesh[1] = test::moved({0, -1.5, 0});
  EXPECT_THAT(check(model), ElementsAre("SINEW_BIND_CONFLICT", "SINEW_BIND_NOT_REST"));
}

TEST(ModelRules, PassOverWhatHasADefect) {
  Model model = rig();
  model.rest.locals[3].translation = {0.5, 1, 0};
  model.skins[0].defect = 0;
  EXPECT_THAT(check(model), IsEmpty());
}

TEST(InfluenceScan, BoundsWhatEachSlotMoves) {
  Model model = rig();
  const InfluenceScan scan = scan_influences(model.meshes[0], 3);
  EXPECT_TRUE(scan.slots.has_box(1));
  EXPECT_FALSE(scan.slots.used(2));
  EXPECT_THAT(scan.slots.low(1), ElementsAre(0, 0, 0));
  EXPECT_THAT(scan.slots.high(1), ElementsAre(1, 2, 0));
  EXPECT_EQ(scan.blocks[0].most, 2u);
  EXPECT_EQ(scan.blocks[0].weightless, 0u);
}

TEST(InfluenceScan, CountsAcrossChunks) {
  Mesh mesh;
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 3000;
  std::vector<float> weights(block.vertices * 4, 0.25f);
  for (const std::size_t vertex : {1500U, 2999U}) std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(vertex * 4), 4, 0.0f);
  block.influences.sets.push_back({Array::own(std::vector<std::uint8_t>(block.vertices * 4), 4), Array::own(weights, 4)});
  const InfluenceScan scan = scan_influences(mesh, 3);
  EXPECT_EQ(scan.blocks[0].weightless, 2u);
  EXPECT_EQ(scan.blocks[0].first_weightless, 1500u);
  EXPECT_TRUE(scan.slots.used(0));
  EXPECT_FALSE(scan.slots.has_box(0));  // no positions
}

}  // namespace
}  // namespace sinew::validate
