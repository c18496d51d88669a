// SPDX-License-Identifier: MIT
#include "sinew/play.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/guard.hpp"
#include "unit/deform/allocations.hpp"

#include "sinew/animate.hpp"

namespace sinew {
namespace {

using animate::PlayedClip;
using animate::Player;

constexpr std::size_t shapes_of_face = 40;

Track played_track(Index node, TrackPath path, std::vector<float> times, std::size_t width, std::vector<float> values) {
  Track track;
  track.node = node;
  track.path = path;
  track.quaternions = path == TrackPath::rotation && width == 4;
  track.times = Array::own(std::move(times), 1);
  track.values = Array::own(std::move(values), width);
  return track;
}

/// The quaternion of a turn about an axis.
std::vector<float> turn(std::size_t axis, double degrees, float sign = 1) {
  const double half = degrees * std::numbers::pi / 360;
  std::vector<float> q(4);
  q[axis] = sign * static_cast<float>(std::sin(half));
  q[3] = sign * static_cast<float>(std::cos(half));
  return q;
}

std::vector<float> joined(std::initializer_list<std::vector<float>> parts) {
  std::vector<float> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// A chain of three nodes; the last one has a mesh with many blend shapes. Clips: 0 walks 2 along x and turns node 1; 1 and 2 turn it
/// about other axes; 3 blends shapes and scales node 2.
Model puppet() {
  Model model;
  model.nodes.resize(3);
  model.nodes[0].children = {1};
  model.nodes[1].children = {2};
  model.nodes[1].parent = 0;
  model.nodes[2].parent = 1;
  model.nodes[2].mesh = 0;
  model.meshes.resize(1);
  model.meshes[0].shapes.resize(shapes_of_face);
  model.rest_pose.locals.resize(3);
  model.rest_pose.amounts.resize(3);
  model.rest_pose.amounts[2].assign(shapes_of_face, 0.25);
  model.rest_pose.locals[0].translation = {0.5, 1, 0};
  model.rest_pose.locals[1].translation = {0, 2, 0};
  model.rest_pose.locals[2].translation = {0, 0, 3};
  model.clips.resize(4);
  model.clips[0].tracks = {played_track(0, TrackPath::translation, {0, 1, 2}, 3, {0, 1, 0, 0.5, 1.25, 0, 2, 1, 0}),
                           played_track(1, TrackPath::rotation, {0, 2}, 4, joined({turn(2, 0), turn(2, 90)}))};
  model.clips[1].tracks = {played_track(1, TrackPath::rotation, {0, 2}, 4, joined({turn(0, 40, -1), turn(0, 80, -1)}))};
  model.clips[2].tracks = {played_track(1, TrackPath::rotation, {0, 2}, 4, joined({turn(1, 70), turn(1, 10)})),
                           played_track(0, TrackPath::translation, {0, 2}, 3, {0, 0, 0, 0, 0, 4})};
  std::vector<float> amounts(3 * shapes_of_face);
  for (std::size_t i = 0; i < amounts.size(); ++i) amounts[i] = static_cast<float>(i % 7) / 8;
  model.clips[3].tracks = {played_track(2, TrackPath::amounts, {0, 1, 2}, 1, amounts),
                           played_track(2, TrackPath::scale, {0, 2}, 3, {1, 1, 1, 3, 2, 1})};
  for (Clip& clip : model.clips) clip.duration = 2;
  return model;
}

Player player_of(const Model& model, std::vector<PlayedClip> clips, Index root = none) {
  auto made = Player::create(model, std::move(clips), root);
  if (!made) ADD_FAILURE() << made.error().line();
  return *std::move(made);
}

Pose sampled(const Model& model, Index clip, double seconds) {
  Pose pose = model.rest();
  need(animate::sample(model, model.clips[clip], seconds, pose));
  return pose;
}

void expect_near(std::span<const double> found, std::span<const double> wanted, double tolerance = 1e-12) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], tolerance) << i;
}

TEST(Player, OneClipIsWhatSampleGives) {
  const Model model = puppet();
  for (Index clip = 0; clip < 4; ++clip) {
    Player player = player_of(model, {{clip, 1.5}});
    for (const double at : {0.0, 0.3, 1.0, 1.75}) {
      player.seek(0, at);
      need(player.advance(0));
      const Pose wanted = sampled(model, clip, at);
      EXPECT_EQ(player.pose().locals, wanted.locals) << clip << ' ' << at;
      EXPECT_EQ(player.pose().amounts, wanted.amounts) << clip << ' ' << at;
    }
  }
}

TEST(Player, RotationsAreTheNormalisedSumWithAlignedSigns) {
  const Model model = puppet();
  const Player player = player_of(model, {{0, 0.5, 1, 0.5}, {1, 1, 1, 0.5}, {2, 2, 1, 0.5}});
  std::vector<double> sum(4);
  const double weights[] = {0.5, 1, 2};
  for (Index clip = 0; clip < 3; ++clip) {
    const auto rotor = sampled(model, clip, 0.5).locals[1].rotor;
    for (std::size_t i = 0; i < 4; ++i) sum[i] += (rotor[0] < 0 ? -1 : 1) * weights[clip] * rotor[i];  // all turn by less than 180°
  }
  const double length = std::sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]);
  for (double& x : sum) x /= length;
  expect_near(player.pose().locals[1].rotor, sum);
  // 0.5 · clip 0 and 2 · clip 2 move the root.
  expect_near(player.pose().locals[0].translation, std::vector<double>{0.5 * 0.25 / 2.5, 0.5 * 1.125 / 2.5, 2 * 1 / 2.5});
}

TEST(Player, TheStoredStateTakesTheRestOfTheWeights) {
  const Model model = puppet();
  const Player player = player_of(model, {{3, 0.25, 1, 1}});
  expect_near(player.pose().locals[2].scale, std::vector<double>{0.75 + 0.25 * 2, 0.75 + 0.25 * 1.5, 1});
  const auto there = sampled(model, 3, 1).amounts[2];
  for (std::size_t i = 0; i < shapes_of_face; ++i) EXPECT_NEAR(player.pose().amounts[2][i], 0.75 * 0.25 + 0.25 * there[i], 1e-12);
  EXPECT_EQ(player.pose().locals[1], model.rest_pose.locals[1]);
}

TEST(Player, MasksSayWhereAClipCounts) {
  const Model model = puppet();
  const Player player = player_of(model, {{0, 1, 1, 1}, {2, 1, 1, 1, true, false, {1, 0, 0}}});
  EXPECT_EQ(player.pose().locals[1], sampled(model, 0, 1).locals[1]);
  expect_near(player.pose().locals[0].translation, std::vector<double>{0.25, 0.625, 1});
}

TEST(Player, AdditiveClipsAddTheirDifferenceFromTheirStart) {
  const Model model = puppet();
  const Player player = player_of(model, {{0, 1, 1, 1}, {2, 0.5, 1, 2, false, true}, {3, 1, 1, 2, false, true}});
  expect_near(player.pose().locals[0].translation, std::vector<double>{0.5, 1.25, 2});
  // Clip 2 turns from 70° to 10° about y: half of the difference is −30°, before the 45° of clip 0 about z.
  const Quaternion y{0, std::sin(-std::numbers::pi / 12), 0, std::cos(std::numbers::pi / 12)},
      z{0, 0, std::sin(std::numbers::pi / 8), std::cos(std::numbers::pi / 8)};
  const Rotor first(y), then(z);
  std::vector<double> wanted(4);
  need(compose(3, first.values, then.values, wanted));
  expect_near(player.pose().locals[1].rotor, wanted, 1e-7);
  expect_near(player.pose().locals[2].scale, std::vector<double>{3, 2, 1});
  const auto start = sampled(model, 3, 0).amounts[2], end = sampled(model, 3, 2).amounts[2];
  for (std::size_t i = 0; i < shapes_of_face; ++i) EXPECT_NEAR(player.pose().amounts[2][i], 0.25 + end[i] - start[i], 1e-12);
}

TEST(Player, TimesLoopHoldAndRunBackwards) {
  const Model model = puppet();
  Player player = player_of(model, {{0, 1, 2, 0.5}, {1, 1, 1, 1.5, false}, {2, 1, -0.5, 0.25}});
  need(player.advance(1));
  EXPECT_NEAR(player.clips()[0].seconds, 0.5, 1e-12);
  EXPECT_EQ(player.clips()[1].seconds, 2);
  EXPECT_NEAR(player.clips()[2].seconds, 1.75, 1e-12);
  player.set_speed(0, 0);
  player.set_weight(1, 0);
  player.set_weight(2, 0);
  need(player.advance(5));
  EXPECT_EQ(player.pose().locals, sampled(model, 0, 0.5).locals);
}

TEST(Player, RootMotionGoesOnWhereALoopEnds) {
  const Model model = puppet();
  Player player = player_of(model, {{0, 3, 1, 0.25}}, 0);
  double moved = 0;
  for (int frame = 0; frame < 70; ++frame) {
    need(player.advance(0.1));
    moved += player.root_motion()[0];
    EXPECT_EQ(player.pose().locals[0].translation, model.rest_pose.locals[0].translation);
  }
  // 7 s are three loops of 2 units, and from 0.25 s to 1.25 s: 0.125 to 0.875.
  EXPECT_NEAR(moved, 6 + 0.75, 1e-9);
  need(player.advance(-7));
  EXPECT_NEAR(player.root_motion()[0], -6.75, 1e-9);
  need(player.advance(0));
  EXPECT_EQ(player.root_motion()[0], 0);
  // Half of the weight: half of the way; the other clip moves along z.
  Player two = player_of(model, {{0, 1}, {2, 1}}, 0);
  need(two.advance(2));
  expect_near(two.root_motion(), std::vector<double>{1, 0, 2}, 1e-9);
}

TEST(Player, WorldTransformsAreThoseOfThePose) {
  const Model model = puppet();
  const Player player = player_of(model, {{0, 1, 1, 1.3}, {3, 1, 1, 0.4}});
  const std::vector<Affine> wanted = need(world_transforms(model, player.pose()));
  for (Index node = 0; node < 3; ++node) expect_near(need(player.world(node)).values(), wanted[node].values());
  const auto third = player.world("2");
  ASSERT_TRUE(third);
  expect_near(third->values(), wanted[2].values());
  EXPECT_EQ(player.world("Sword").error().failure, Failure::usage);
}

TEST(Player, FindsAClipByName) {
  Model model = puppet();
  model.clips[1].name = "Wave";
  EXPECT_EQ(find_clip("Wave", model).value(), 1U);
  EXPECT_EQ(find_clip("2", model).value(), 2U);
  EXPECT_EQ(find_clip("Walk", model).error().failure, Failure::usage);
}

TEST(Player, FindsASocketByName) {
  Model model = puppet();
  model.nodes[1].name = "Hand";
  const Player player = player_of(model, {{0, 1, 1, 1.3}});
  const auto hand = player.world("Hand");
  ASSERT_TRUE(hand);
  expect_near(hand->values(), need(player.world(1)).values());
  model.nodes[2].name = "Hand";
  EXPECT_EQ(player.world("Hand").error().failure, Failure::usage) << "two nodes with this name";
}

TEST(Player, AFrameAllocatesNothing) {
  const Model model = puppet();
  Player player = player_of(model, {{0, 1}, {1, 0.5}, {2, 0.5, 1, 0, true, true}, {3, 0.7}}, 0);
  need(player.advance(0.1));
  const std::size_t before = test::allocations();
  double sum = 0;
  for (int frame = 0; frame < 100; ++frame) {
    player.set_weight(0, frame / 100.0);
    need(player.advance(0.05));
    sum += need(player.world(2)).translation(0) + player.root_motion()[0];
  }
  EXPECT_EQ(test::allocations(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(Player, InFourDimensionsTwoRotationsMeetOnTheirArc) {
  Model model;
  model.dimension = 4;
  model.nodes.resize(1);
  model.rest_pose.locals.resize(1);
  model.rest_pose.amounts.resize(1);
  model.clips.resize(2);
  const Rotor xw = Rotor::in_plane(0, 3, 0.8), yz = Rotor::in_plane(1, 2, 0.6);
  std::size_t clip = 0;
  for (const Rotor& rotor : {xw, yz}) {
    std::vector<double> full(8);
    expand_rotor(rotor.values, full);
    model.clips[clip++].tracks = {played_track(0, TrackPath::rotation, {0}, 8, std::vector<float>(full.begin(), full.end()))};
  }
  const Player player = player_of(model, {{0, 1}, {1, 3}});
  std::vector<double> a(8), b(8), wanted(8);
  const auto first = sampled(model, 0, 0).locals[0].rotor, second = sampled(model, 1, 0).locals[0].rotor;
  need(slerp(4, first, second, 0.75, wanted));
  expect_near(player.pose().locals[0].rotor, wanted, 1e-7);  // stored as floats, so nearly unit
}

TEST(Player, MistakesAreRefused) {
  const Model model = puppet();
  const auto failure = [&](std::vector<PlayedClip> clips, Index root = none) {
    return Player::create(model, std::move(clips), root).error().failure;
  };
  EXPECT_EQ(failure({{4}}), Failure::usage);
  EXPECT_EQ(failure({{0, -1}}), Failure::usage);
  EXPECT_EQ(failure({{0, std::nan("")}}), Failure::usage);
  EXPECT_EQ(failure({{0, 1, INFINITY}}), Failure::usage);
  EXPECT_EQ(failure({{0, 1, 1, 0, true, false, {1, 1}}}), Failure::usage);
  EXPECT_EQ(failure({{0, 1, 1, 0, true, false, {1, 1, 2}}}), Failure::usage);
  EXPECT_EQ(failure({{0}}, 3), Failure::usage);
}

}  // namespace
}  // namespace sinew
