// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "operations/optimize/integers.hpp"
#include "operations/optimize/levers.hpp"
#include "operations/optimize/steps.hpp"
#include "unit/model/attributes.hpp"

namespace sinew::operations {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

/// Node 0 draws a point at x = 5 with joint 1 at the origin and joint 2, its child, at x = 3.
Model chain() {
  Model model;
  model.format = "glTF";
  model.nodes.resize(4);
  model.nodes[1].children = {2};
  model.nodes[2].parent = 1;
  model.rest_pose.locals.resize(4);
  model.rest_pose.locals[2].translation = {3, 0, 0};
  model.rest_pose.amounts.resize(4);
  Mesh& mesh = model.meshes.emplace_back();
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 1;
  block.attributes.push_back({Semantic::position, 0, {}, Array::own(std::vector<float>{5, 0, 0}, 3), {}, {}});
  block.influences.sets.push_back({Array::own(std::vector<std::uint8_t>{1, 0, 0, 0}, 4), Array::own(std::vector<float>{1, 0, 0, 0}, 4)});
  mesh.surfaces.emplace_back();
  Skin& skin = model.skins.emplace_back();
  skin.slots = {1, 2};
  skin.bind = Skin::Bind::identity;
  model.nodes[0].mesh = 0;
  model.nodes[0].skin = 0;
  return model;
}

Track track_of(Index node, std::vector<float> times, std::vector<float> values) {
  Track track;
  track.node = node;
  track.times = Array::own(std::move(times), 1);
  track.values = Array::own(std::move(values), 3);
  return track;
}

// The identity binds the point to joint 2 at 3 + 5 = 8: 5 from joint 2, and 5 + 3 from joint 1.
TEST(Levers, AJointReachesTheVerticesOfItsDescendants) {
  const Levers levers = levers_of(chain(), 100);
  EXPECT_THAT(levers.reach, ElementsAre(100, DoubleNear(8, 1e-9), DoubleNear(5, 1e-9), 100));
}

TEST(Levers, AnimatedTranslationsMakeAReachLonger) {
  Model model = chain();
  model.clips.emplace_back().tracks.push_back(track_of(2, {0, 1}, {3, 0, 0, 10, 0, 0}));
  EXPECT_THAT(levers_of(model, 100).reach, ElementsAre(100, DoubleNear(15, 1e-9), DoubleNear(5, 1e-9), 100));
}

TEST(Levers, TheScaleOfAParentCounts) {
  Model model = chain();
  model.rest_pose.locals[1].scale = {2, 2, 2};
  const Levers levers = levers_of(model, 100);
  EXPECT_THAT(levers.scale, ElementsAre(1, 1, DoubleNear(2, 1e-9), 1));
  EXPECT_NEAR(levers.reach[1], 16, 1e-9);
}

TEST(RemoveTracks, KeepsTheTrackThatLastsLongest) {
  Clip clip;
  clip.tracks = {track_of(0, {0, 1}, {0, 0, 0, 1, 0, 0}), track_of(1, {0, 2}, {0, 0, 0, 0, 0, 0}), track_of(2, {0}, {0, 0, 0})};
  EXPECT_EQ(remove_tracks(clip, {false, true, true}), 1);
  ASSERT_EQ(clip.tracks.size(), 2);
  EXPECT_EQ(clip.tracks[1].node, 1);
}

TEST(RemoveTracks, NeverEmptiesAClip) {
  Clip clip;
  clip.tracks = {track_of(0, {0, 1}, {0, 0, 0, 0, 0, 0})};
  EXPECT_EQ(remove_tracks(clip, {true}), 0);
}

TEST(RestingValues, AreThoseThatTheTrackStores) {
  Model model = chain();
  Track track = track_of(2, {0}, {3, 0, 0});
  EXPECT_THAT(resting_values(model, track), ElementsAre(3, 0, 0));
  track.path = TrackPath::scale;
  EXPECT_THAT(resting_values(model, track), ElementsAre(1, 1, 1));
  track.path = TrackPath::rotation;
  track.quaternions = true;
  EXPECT_THAT(resting_values(model, track), ElementsAre(0, 0, 0, 1));
  model.rest_pose.locals[2].basis = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  EXPECT_THAT(resting_values(model, track), IsEmpty());
}

TEST(Integers, AreRoundedToTheNearest) {
  const Array array = normalized_as<std::int8_t>(std::vector<double>{1, -1, 0.5, 0}, 2);
  EXPECT_TRUE(array.normalized());
  EXPECT_THAT(array.read<double>(), ElementsAre(1, -1, DoubleNear(64.0 / 127, 1e-12), 0));
}

}  // namespace
}  // namespace sinew::operations
