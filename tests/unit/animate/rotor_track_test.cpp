// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/guard.hpp"

#include "sinew/animate.hpp"
#include "sinew/geometry.hpp"

namespace sinew {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

constexpr double degree = std::numbers::pi / 180;

/// A node of 4-space with two keys of rotors: none, then 60° in xy and 120° in zw.
std::vector<double> rotor_at(double seconds, std::size_t width, Interpolation interpolation) {
  const double c = std::cos(30 * degree), s = std::sin(30 * degree), d = std::cos(60 * degree), e = std::sin(60 * degree);
  const std::vector<double> end = width == 8 ? std::vector<double>{c * d, s * d, 0, 0, 0, 0, c * e, s * e}
                                             : std::vector<double>{c, s, 0, 0, 0, 0, 0};  // without xyzw: xy alone
  std::vector<double> values(width);
  values[0] = 1;
  values.insert(values.end(), end.begin(), end.end());
  Model model;
  model.dimension = 4;
  model.nodes.resize(1);
  model.rest_pose.locals.resize(1);
  model.rest_pose.amounts.resize(1);
  Track track;
  track.node = 0;
  track.path = TrackPath::rotation;
  track.interpolation = interpolation;
  track.times = Array::own(std::vector<double>{0, 2}, 1);
  track.values = Array::own(std::move(values), width);
  Clip clip;
  clip.tracks = {track};
  Pose pose = model.rest_pose;
  need(animate::sample(model, clip, seconds, pose));
  return {pose.locals[0].rotor.begin(), pose.locals[0].rotor.end()};
}

TEST(RotorTracks, TurnBothPlanesAtConstantSpeed) {
  const double c = std::cos(7.5 * degree), s = std::sin(7.5 * degree), d = std::cos(15 * degree), e = std::sin(15 * degree);
  const std::vector<double> quarter{c * d, s * d, 0, 0, 0, 0, c * e, s * e};
  EXPECT_THAT(rotor_at(0.5, 8, Interpolation::linear), Pointwise(DoubleNear(1e-14), quarter));
}

TEST(RotorTracks, MayLeaveOutTrailingComponents) {
  const std::vector<double> half{std::cos(15 * degree), std::sin(15 * degree), 0, 0, 0, 0, 0, 0};
  EXPECT_THAT(rotor_at(1, 7, Interpolation::linear), Pointwise(DoubleNear(1e-14), half));
}

TEST(RotorTracks, HoldTheirKeys) {
  EXPECT_THAT(rotor_at(-1, 8, Interpolation::linear), ElementsAre(1, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(rotor_at(1.9, 8, Interpolation::step), ElementsAre(1, 0, 0, 0, 0, 0, 0, 0));
}

}  // namespace
}  // namespace sinew
