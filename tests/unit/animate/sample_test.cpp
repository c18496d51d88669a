// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/guard.hpp"

#include "sinew/animate.hpp"
#include "sinew/geometry.hpp"

namespace sinew {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

/// Two nodes; node 1 has a mesh with two blend shapes.
Model model_with_a_mesh() {
  Model model;
  model.nodes.resize(2);
  model.meshes.resize(1);
  model.meshes[0].shapes.resize(2);
  model.nodes[1].mesh = 0;
  model.rest_pose.locals.resize(2);
  model.rest_pose.amounts.resize(2);
  return model;
}

template <class T>
Track track(TrackPath path, Interpolation interpolation, std::vector<float> times, std::size_t width, std::vector<T> values,
            bool normalized = false) {
  Track out;
  out.node = 1;
  out.path = path;
  out.interpolation = interpolation;
  out.quaternions = path == TrackPath::rotation;
  out.times = Array::own(std::move(times), 1);
  out.values = Array::own(std::move(values), width, normalized);
  return out;
}

Pose at(const Track& moving, double seconds, Pose pose) {
  Clip clip;
  clip.tracks = {moving};
  need(animate::sample(model_with_a_mesh(), clip, seconds, pose));
  return pose;
}
Pose at(const Track& moving, double seconds) { return at(moving, seconds, model_with_a_mesh().rest_pose); }

std::vector<double> translation_at(const Track& moving, double seconds) {
  const auto local = at(moving, seconds).locals[1].translation;
  return {local.begin(), local.end()};
}
std::vector<double> quaternion_at(const Track& moving, double seconds) {
  const auto rotor = at(moving, seconds).locals[1].rotor;
  EXPECT_EQ(rotor.size(), 4u);
  const auto q = quaternion_from_rotor(std::span<const double, 4>(rotor.data(), 4));
  return {q.begin(), q.end()};
}

auto near(double tolerance, const std::vector<double>& numbers) { return Pointwise(DoubleNear(tolerance), numbers); }

const std::vector<float> three_keys{1, 2, 4};

TEST(Linear, MeetsItsKeysAndGoesStraightBetween) {
  const Track moving = track<float>(TrackPath::translation, Interpolation::linear, three_keys, 3, {0, 0, 0, 10, 20, 30, 10, 20, -30});
  EXPECT_THAT(translation_at(moving, 1), ElementsAre(0, 0, 0));
  EXPECT_THAT(translation_at(moving, 2), ElementsAre(10, 20, 30));
  EXPECT_THAT(translation_at(moving, 4), ElementsAre(10, 20, -30));
  EXPECT_THAT(translation_at(moving, 1.25), ElementsAre(2.5, 5, 7.5));
  EXPECT_THAT(translation_at(moving, 3), ElementsAre(10, 20, 0));
}

TEST(Linear, ClampsOutsideItsKeys) {
  const Track moving = track<float>(TrackPath::translation, Interpolation::linear, three_keys, 3, {1, 2, 3, 0, 0, 0, 7, 8, 9});
  EXPECT_THAT(translation_at(moving, 0), ElementsAre(1, 2, 3));
  EXPECT_THAT(translation_at(moving, -5), ElementsAre(1, 2, 3));
  EXPECT_THAT(translation_at(moving, 100), ElementsAre(7, 8, 9));
}

TEST(Step, HoldsAKeyUntilTheNextOne) {
  const Track moving = track<float>(TrackPath::translation, Interpolation::step, three_keys, 3, {1, 1, 1, 2, 2, 2, 3, 3, 3});
  EXPECT_THAT(translation_at(moving, 0), ElementsAre(1, 1, 1));
  EXPECT_THAT(translation_at(moving, 1.999), ElementsAre(1, 1, 1));
  EXPECT_THAT(translation_at(moving, 2), ElementsAre(2, 2, 2));
  EXPECT_THAT(translation_at(moving, 9), ElementsAre(3, 3, 3));
}

TEST(SingleKey, IsTheValueAtAllTimes) {
  for (const Interpolation interpolation : {Interpolation::step, Interpolation::linear})
    for (const double seconds : {0.0, 2.0, 5.0})
      EXPECT_THAT(translation_at(track<float>(TrackPath::translation, interpolation, {2}, 3, {1, 2, 3}), seconds), ElementsAre(1, 2, 3));
}

// Per key: in-tangent, value, out-tangent.
const std::vector<float> spline{9, 9, 9, 1, 2, 3, 1, 0, 0, /**/ 0, 2, 0, 5, 5, 5, 9, 9, 9};

TEST(CubicSpline, MeetsItsKeysAndClamps) {
  const Track moving = track<float>(TrackPath::translation, Interpolation::cubic_spline, {1, 3}, 3, spline);
  EXPECT_THAT(translation_at(moving, 0), ElementsAre(1, 2, 3));
  EXPECT_THAT(translation_at(moving, 1), ElementsAre(1, 2, 3));
  EXPECT_THAT(translation_at(moving, 3), ElementsAre(5, 5, 5));
  EXPECT_THAT(translation_at(moving, 4), ElementsAre(5, 5, 5));
}

TEST(CubicSpline, ScalesItsTangentsByTheTimeBetweenKeys) {
  const Track moving = track<float>(TrackPath::translation, Interpolation::cubic_spline, {1, 3}, 3, spline);
  // t = 1/4, t_d = 2: weights 27/32 and 5/32 of the values, 2·9/64 of the out-tangent, 2·(−3/64) of the in-tangent.
  EXPECT_THAT(translation_at(moving, 1.5), near(1e-15, {1 * 27. / 32 + 5 * 5. / 32 + 1 * 9. / 32, 2 * 27. / 32 + 5 * 5. / 32 - 2 * 3. / 32,
                                                        3 * 27. / 32 + 5 * 5. / 32}));
}

TEST(CubicSpline, NormalisesRotations) {
  const Track moving = track<float>(TrackPath::rotation, Interpolation::cubic_spline, {0, 1}, 4,
                                    {0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, /**/ 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0});
  const double c = std::sqrt(0.5);
  EXPECT_THAT(quaternion_at(moving, 0.5), near(1e-15, {0, 0, c, c}));
  EXPECT_THAT(quaternion_at(moving, 0), ElementsAre(0, 0, 0, 1));
}

TEST(Rotation, GoesTheShortWayAndIsNotNormalised) {
  // The second key is the first one's turn by 1.2 rad about z with the other sign: a third of the way is 0.4 rad.
  const auto s = static_cast<float>(std::sin(0.6)), c = static_cast<float>(std::cos(0.6));
  const Track moving = track<float>(TrackPath::rotation, Interpolation::linear, {0, 3}, 4, {0, 0, 0, 1, 0, 0, -s, -c});
  EXPECT_THAT(quaternion_at(moving, 1), near(1e-7, {0, 0, std::sin(0.2), std::cos(0.2)}));
  const Track longer = track<float>(TrackPath::rotation, Interpolation::linear, {0, 4}, 4, {0, 0, 0, 2, 0, 0, 0, 4});
  EXPECT_THAT(quaternion_at(longer, 1), ElementsAre(0, 0, 0, 2.5));
}

TEST(Rotation, KeysOfOppositeSignAreTheSameRotation) {
  const Track moving = track<float>(TrackPath::rotation, Interpolation::linear, {0, 1}, 4, {0.6f, 0, 0, 0.8f, -0.6f, 0, 0, -0.8f});
  EXPECT_THAT(quaternion_at(moving, 0.25), near(1e-7, {0.6, 0, 0, 0.8}));
}

TEST(Rotation, IsReadFromNormalisedIntegers) {
  const Track moving = track<std::int8_t>(TrackPath::rotation, Interpolation::step, {0}, 4, {127, 0, -128, 64}, true);
  EXPECT_THAT(quaternion_at(moving, 0), ElementsAre(1, 0, -1, 64. / 127));
}

TEST(Rotation, OfARotorTrackIsTheRotor) {
  Track moving = track<float>(TrackPath::rotation, Interpolation::step, {0}, 4, {0.5f, 0.5f, -0.5f, 0.5f});
  moving.quaternions = false;
  EXPECT_EQ(at(moving, 0).locals[1].rotor, (SmallVector<double, 4>{0.5, 0.5, -0.5, 0.5}));
}

TEST(Amounts, HaveARowPerBlendShapeAndKey) {
  const Track moving = track<std::uint8_t>(TrackPath::amounts, Interpolation::linear, {0, 1}, 1, {0, 255, 255, 0}, true);
  EXPECT_THAT(at(moving, 0).amounts[1], ElementsAre(0, 1));
  EXPECT_THAT(at(moving, 0.25).amounts[1], ElementsAre(0.25, 0.75));
  EXPECT_THAT(at(moving, 1).amounts[1], ElementsAre(1, 0));
}

TEST(Amounts, OfACubicSplineListAllShapesForEachPartOfAKey) {
  // Per key: in-tangents of both shapes, values of both, out-tangents of both. At t = 1/2: halves of the values, t_d/8 of the tangents.
  const Track moving =
      track<float>(TrackPath::amounts, Interpolation::cubic_spline, {0, 1}, 1, {9, 9, 1, 10, 8, 16, /**/ 24, 32, 3, 20, 9, 9});
  EXPECT_THAT(at(moving, 0.5).amounts[1], ElementsAre(2 + 1 - 3, 15 + 2 - 4));
  EXPECT_THAT(at(moving, 1).amounts[1], ElementsAre(3, 20));
}

TEST(Sample, LeavesAloneWhatTheClipDoesNotMove) {
  Pose pose = model_with_a_mesh().rest_pose;
  pose.locals[0].translation = {4, 5, 6};
  pose.locals[1].scale = {2, 2, 2};
  pose.amounts[1] = {0.5, 0.25};
  const Track moving = track<float>(TrackPath::translation, Interpolation::linear, {0}, 3, {1, 2, 3});
  const Pose sampled = at(moving, 0, pose);
  EXPECT_EQ(sampled.locals[0], pose.locals[0]);
  EXPECT_EQ(sampled.locals[1].scale, pose.locals[1].scale);
  EXPECT_EQ(sampled.amounts, pose.amounts);
  EXPECT_TRUE(sampled.locals[1].rotor.empty());
}

TEST(Sample, AnAnimatedNodeLosesItsBasis) {
  Pose pose = model_with_a_mesh().rest_pose;
  pose.locals[1].basis = {2, 0, 0, 0, 2, 0, 0, 0, 2};
  pose.locals[1].translation = {7, 8, 9};
  const Track moving = track<float>(TrackPath::scale, Interpolation::linear, {0}, 3, {1, 2, 3});
  const LocalTransform local = at(moving, 0, pose).locals[1];
  EXPECT_TRUE(local.basis.empty());
  EXPECT_THAT(local.scale, ElementsAre(1, 2, 3));
  EXPECT_THAT(local.translation, ElementsAre(7, 8, 9));
}

TEST(Sample, FindsItsKeysAmongMany) {
  std::vector<float> times, values;
  for (int i = 0; i < 1000; ++i) {
    times.push_back(static_cast<float>(i * i));
    values.insert(values.end(), {static_cast<float>(i), 0, 0});
  }
  const Track moving = track<float>(TrackPath::translation, Interpolation::linear, times, 3, values);
  for (const int i : {0, 1, 17, 500, 998, 999}) EXPECT_EQ(translation_at(moving, i * i)[0], i);
  EXPECT_DOUBLE_EQ(translation_at(moving, 500 * 500 + 1001 * 0.5)[0], 500.5);
}

TEST(Sample, TakesOddWidthsOfKeysInStridedArrays) {
  const float rows[] = {1, 2, 3, -9, 4, 5, 6, -9};
  Track moving = track<float>(TrackPath::translation, Interpolation::linear, {0, 1}, 3, {});
  moving.values = Array::borrow(rows, 2, 3, 4 * sizeof(float), ComponentType::float32, false, nullptr);
  EXPECT_THAT(translation_at(moving, 0.5), ElementsAre(2.5, 3.5, 4.5));
}

TEST(FrameTimes, IncludeBothEnds) {
  EXPECT_THAT(need(animate::frame_times(3, 4)), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(need(animate::frame_times(3, 1)), ElementsAre(0));
  EXPECT_EQ(need(animate::frame_times(0.1f, 7)).back(), 0.1f);
  EXPECT_TRUE(need(animate::frame_times(3, 0)).empty());
}

TEST(FrameTimes, AtARateForgiveRoundingOfTheDuration) {
  EXPECT_EQ(need(animate::frame_times_at(1, 4)), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(need(animate::frame_times_at(0.99999999, 30)).size(), 31u);
  EXPECT_EQ(need(animate::frame_times_at(0.99, 30)).size(), 30u);
  EXPECT_THAT(need(animate::frame_times_at(0, 30)), ElementsAre(0));
}

}  // namespace
}  // namespace sinew
