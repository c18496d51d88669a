// SPDX-License-Identifier: MIT
#include "validate/model_rules.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <span>

#include "rig.hpp"
#include "unit/model/attributes.hpp"
#include "validate/influence_scan.hpp"

namespace sinew::validate {
namespace {

InfluenceScan scan_of(const Mesh& mesh, std::size_t dimension) {
  WorkMeter work(1'000'000);
  InfluenceScans scans(work);
  return scan_influences(mesh, dimension, scans);
}

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
  model.rest_pose.locals[1].translation = {1, 0, 0};
  EXPECT_THAT(check(model), IsEmpty());
  model.rest_pose.locals[1].scale = {1.5, 1.5, 1.5};
  EXPECT_THAT(check(model), IsEmpty());
}

TEST(BindNotRest, TellsHowFarTheWorstJointMovesTheMesh) {
  Model model = rig();
  model.rest_pose.locals[3].translation = {0.5, 1, 0};  // the tip and all that it moves: half a unit to the side
  FindingList found;
  check_model(model, found);
  ASSERT_THAT(test::codes(found), ElementsAre("SINEW_BIND_NOT_REST"));
  EXPECT_THAT(found.list()[0].message, testing::HasSubstr("1 of 2 joints"));
  EXPECT_THAT(found.list()[0].message, testing::HasSubstr("joint 1 (node 3) moves it most, by 0.5"));
}

TEST(BindNotRest, IsNotRounding) {
  Model model = rig();
  model.rest_pose.locals[3].translation = {1e-5, 1, 0};
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
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  model.skins.push_back(model.skins[0]);
  for (Affine& matrix : model.skins[1].joint_from_mesh) matrix = matrix * test::moved({0.25, 0, 0});
  EXPECT_THAT(check(model), IsEmpty());
  model.skins[1].joint_from_mesh[1] = test::moved({0, -1.5, 0});
  EXPECT_THAT(check(model), ElementsAre("SINEW_BIND_CONFLICT", "SINEW_BIND_NOT_REST"));
}

TEST(ModelRules, PassOverWhatHasADefect) {
  Model model = rig();
  model.rest_pose.locals[3].translation = {0.5, 1, 0};
  model.skins[0].defect = 0;
  EXPECT_THAT(check(model), IsEmpty());
}

TEST(InfluenceScan, BoundsWhatEachSlotMoves) {
  Model model = rig();
  const InfluenceScan scan = scan_of(model.meshes[0], 3);
  EXPECT_TRUE(scan.slots.has_box(1));
  EXPECT_FALSE(scan.slots.used(2));
  EXPECT_THAT(scan.slots.low(1), ElementsAre(0, 0, 0));
  EXPECT_THAT(scan.slots.high(1), ElementsAre(1, 2, 0));
  EXPECT_EQ(scan.blocks[0].most, 2u);
  EXPECT_EQ(scan.blocks[0].weightless, 0u);
}

TEST(InfluenceScan, WithoutDimensionsJointsAreUsedAndHaveNoBox) {
  Mesh mesh;
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 2;
  block.influences = {.sets = {},
                      .first = {0, 1, 2},
                      .slots = Array::own(std::vector<std::uint32_t>{1, 1}, 1),
                      .weights = Array::own(std::vector<float>{1, 1}, 1)};
  const InfluenceScan scan = scan_of(mesh, 0);
  EXPECT_FALSE(scan.slots.used(0));
  EXPECT_TRUE(scan.slots.used(1));
  EXPECT_FALSE(scan.slots.has_box(1));
}

TEST(InfluenceScan, CountsAcrossChunks) {
  Mesh mesh;
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 3000;
  std::vector<float> weights(block.vertices * 4, 0.25f);
  for (const std::size_t vertex : {1500U, 2999U}) std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(vertex * 4), 4, 0.0f);
  block.influences.sets.push_back({Array::own(std::vector<std::uint8_t>(block.vertices * 4), 4), Array::own(weights, 4)});
  const InfluenceScan scan = scan_of(mesh, 3);
  EXPECT_EQ(scan.blocks[0].weightless, 2u);
  EXPECT_EQ(scan.blocks[0].first_weightless, 1500u);
  EXPECT_TRUE(scan.slots.used(0));
  EXPECT_FALSE(scan.slots.has_box(0));  // no positions
}

// Compares the boxes of joints, computed vertex by vertex, with the scan, which processes runs of vertices with the same joints at once.
TEST(InfluenceScan, RunsOfTheSameJointsGiveTheBoxesOfTheirVertices) {
  constexpr std::size_t vertices = 2500, joints = 300, none_listed = 1200;
  for (const bool sets : {true, false}) {
    std::mt19937 random(5);
    const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random()) % limit; };
    std::vector<float> points(vertices * 3), weights;
    std::vector<std::uint32_t> slots, first = {0};
    std::array<std::array<float, 2>, joints> expected;  // of x
    expected.fill({std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()});
    std::array<std::uint32_t, 4> row{};
    std::size_t weightless = 0;
    for (std::size_t v = 0; v < vertices; ++v) {
      for (std::size_t c = 0; c < 3; ++c) points[v * 3 + c] = static_cast<float>(below(1000000));
      if (below(3) == 0) row[below(4)] = below(joints);
      for (std::size_t k = 0; k < (sets ? 4 : v == none_listed ? 0 : 1 + v % 3); ++k) {
        slots.push_back(row[k]);
        weights.push_back(below(4) == 0 ? 0 : 0.25f);
        if (weights.back() == 0) continue;
        auto& [low, high] = expected[row[k]];
        low = std::min(low, points[v * 3]);
        high = std::max(high, points[v * 3]);
      }
      first.push_back(static_cast<std::uint32_t>(slots.size()));
      const auto own = std::span(weights).subspan(sets ? 4 * v : first[v]);
      weightless += !own.empty() && std::ranges::count(own, 0.0F) == std::ssize(own);
    }
    Mesh mesh;
    VertexBlock& block = mesh.blocks.emplace_back();
    block.vertices = vertices;
    block.attributes.push_back(sinew::test::attribute(Semantic::position, points, 3));
    if (sets)
      block.influences.sets.push_back({Array::own(slots, 4), Array::own(weights, 4)});
    else
      block.influences = {.sets = {}, .first = first, .slots = Array::own(slots, 1), .weights = Array::own(weights, 1)};
    const InfluenceScan scan = scan_of(mesh, 3);
    EXPECT_EQ(scan.blocks[0].weightless, weightless);
    EXPECT_EQ(scan.blocks[0].most, sets ? 4U : 3U);
    for (std::size_t slot = 0; slot < joints; ++slot) {
      EXPECT_EQ(scan.slots.low(slot)[0], expected[slot][0]) << slot << (sets ? " sets" : " runs");
      EXPECT_EQ(scan.slots.high(slot)[0], expected[slot][1]) << slot << (sets ? " sets" : " runs");
    }
  }
}

}  // namespace
}  // namespace sinew::validate
