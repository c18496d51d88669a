// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/guard.hpp"

#include "sinew/geometry.hpp"

namespace sinew::rotor_test {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

std::vector<double> matrix(std::size_t n, const std::vector<double>& rotor) {
  std::vector<double> out(n * n);
  need(matrix_from_rotor(n, rotor, out));
  return out;
}

constexpr double c = std::numbers::sqrt2 / 2;  // cos and sin of half a right angle

void expect_matrix(std::size_t n, const std::vector<double>& rotor, const std::vector<double>& columns) {
  EXPECT_THAT(matrix(n, rotor), Pointwise(DoubleNear(2e-6), columns)) << n;
}

TEST(Rotor, QuarterTurnsTakeTheLowerAxisToTheHigherOne) {
  expect_matrix(2, {c, c}, {0, 1, -1, 0});
  expect_matrix(3, {c, c, 0, 0}, {0, 1, 0, -1, 0, 0, 0, 0, 1});
  expect_matrix(3, {c, 0, c, 0}, {0, 0, 1, 0, 1, 0, -1, 0, 0});
  expect_matrix(3, {c, 0, 0, c}, {1, 0, 0, 0, 0, 1, 0, -1, 0});
  expect_matrix(4, {c, 0, 0, 0, c, 0, 0}, {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0});
}

TEST(Rotor, DoubleRotationsOfFourSpaceUseThePseudoscalar) {
  // 30° in xy and 60° in zw; 30° in xz and 60° in yw (G4MF, rotors: worked numbers).
  expect_matrix(4, {0.836516, 0.224144, 0, 0, 0, 0, 0.482963, 0.129410},
                {0.866025, 0.5, 0, 0, -0.5, 0.866025, 0, 0, 0, 0, 0.5, 0.866025, 0, 0, -0.866025, 0.5});
  expect_matrix(4, {0.836516, 0, 0.224144, 0, 0, 0.482963, 0, -0.129410},
                {0.866025, 0, 0.5, 0, 0, 0.5, 0, 0.866025, -0.5, 0, 0.866025, 0, 0, -0.866025, 0, 0.5});
}

TEST(Rotor, FourSpaceWrittenOut) {
  // M00, M10, M21 and M33 of the general 4D matrix, from its written form, for a rotor that is neither unit nor a rotation.
  const double s = 1, b01 = 2, b02 = 3, b12 = 5, b03 = 7, b13 = 11, b23 = 13, p = 17;
  const auto m = matrix(4, {s, b01, b02, b12, b03, b13, b23, p});
  EXPECT_DOUBLE_EQ(m[0], s * s - b01 * b01 - b02 * b02 - b03 * b03 + b12 * b12 + b13 * b13 + b23 * b23 - p * p);
  EXPECT_DOUBLE_EQ(m[1], 2 * (s * b01 - b02 * b12 - b03 * b13 + b23 * p));
  EXPECT_DOUBLE_EQ(m[4 + 2], 2 * (s * b12 - b01 * b02 - b13 * b23 + b03 * p));
  EXPECT_DOUBLE_EQ(m[12 + 3], s * s + b01 * b01 + b02 * b02 - b03 * b03 + b12 * b12 - b13 * b13 - b23 * b23 - p * p);
}

TEST(Rotor, MissingTrailingComponentsAreZero) {
  EXPECT_EQ(matrix(4, {c, c}), matrix(4, {c, c, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(matrix(3, {c, c}), matrix(3, {c, c, 0, 0}));
  EXPECT_EQ(matrix(1, {1}), (std::vector<double>{1}));
}

TEST(Rotor, QuaternionsMapOntoThreeDimensionalRotors) {
  const std::array<double, 4> q{1, 2, 3, 4};
  const auto rotor = rotor_from_quaternion(q);
  EXPECT_EQ(rotor, (std::array<double, 4>{4, 3, -2, 1}));
  EXPECT_EQ(quaternion_from_rotor(rotor), q);
}

TEST(Rotor, ThreeDimensionsAreGltfsFormulaWithoutNormalisation) {
  const double x = 0.5, y = 0.25, z = -1, w = 2;  // far from unit
  const std::array<double, 4> q{x, y, z, w};
  const auto rotor = rotor_from_quaternion(q);
  const auto m = matrix(3, {rotor.begin(), rotor.end()});
  EXPECT_DOUBLE_EQ(m[0], 1 - 2 * (y * y + z * z));
  EXPECT_DOUBLE_EQ(m[1], 2 * (x * y + z * w));
  EXPECT_DOUBLE_EQ(m[2], 2 * (x * z - y * w));
  EXPECT_DOUBLE_EQ(m[3], 2 * (x * y - z * w));
  EXPECT_DOUBLE_EQ(m[4], 1 - 2 * (x * x + z * z));
  EXPECT_DOUBLE_EQ(m[5], 2 * (y * z + x * w));
  EXPECT_DOUBLE_EQ(m[6], 2 * (x * z + y * w));
  EXPECT_DOUBLE_EQ(m[7], 2 * (y * z - x * w));
  EXPECT_DOUBLE_EQ(m[8], 1 - 2 * (x * x + y * y));
}

RC_GTEST_PROP(RotorProperty, TheSandwichAgreesWithTheClosedForm, ()) {
  // A unit rotor of three axes, read in a space of more: its block is the 3D matrix, the other axes stay. The 3D components lie first.
  std::vector<double> rotor(4);
  double squares = 0;
  for (double& x : rotor) x = *rc::gen::inRange(-100, 101), squares += x * x;
  RC_PRE(squares > 0);
  for (double& x : rotor) x /= std::sqrt(squares);
  const auto small = matrix(3, rotor);
  for (const std::size_t n : {4u, 5u, 7u}) {
    const auto large = matrix(n, rotor);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i)
        RC_ASSERT(std::abs(large[j * n + i] - (i < 3 && j < 3 ? small[j * 3 + i] : i == j ? 1 : 0)) < 1e-12);
  }
}

TEST(Rotor, SixteenDimensionsKeepThePlaneOfTheLastAxes) {
  const std::size_t n = 16;
  std::vector<double> rotor(rotor_size_bivector(n));
  rotor.front() = c;
  rotor.back() = c;  // the last bivector is of axes 14 and 15
  const auto m = matrix(n, rotor);
  EXPECT_NEAR(m[14 * n + 15], 1, 1e-15);
  EXPECT_NEAR(m[15 * n + 14], -1, 1e-15);
  EXPECT_NEAR(m[0], 1, 1e-15);
  EXPECT_NEAR(m[14 * n + 14], 0, 1e-15);
}

std::vector<double> interpolated(std::vector<double> a, const std::vector<double>& b, double t) {
  slerp(a, b, t, a);
  return a;
}

TEST(Slerp, OfAnyAngleIsTheFormulaToTheLastDigits) {
  for (double angle = 1e-9; angle < 1.57; angle = angle < 0.01 ? angle * 3 : angle + 0.003)
    for (const double t : {0.0, 1e-3, 0.25, 0.5, 0.9, 1.0}) {
      const std::vector<double> a{0, 0, 0, 1}, b{0, 0, std::sin(angle), std::cos(angle)};
      const std::vector<double> expected{0, 0, std::sin(t * angle), std::cos(t * angle)};
      ASSERT_THAT(interpolated(a, b, t), Pointwise(DoubleNear(1e-15), expected)) << angle << " " << t;
    }
}

TEST(Slerp, GoesTheShortWayAtConstantSpeed) {
  const std::vector<double> a{0, 0, 0, 1}, b{0, 0, std::sin(0.6), std::cos(0.6)};
  const std::vector<double> third{0, 0, std::sin(0.2), std::cos(0.2)};
  EXPECT_THAT(interpolated(a, b, 1.0 / 3), Pointwise(DoubleNear(1e-15), third));
  const std::vector<double> far_b{-b[0], -b[1], -b[2], -b[3]};  // the same rotation with the other sign
  EXPECT_THAT(interpolated(a, far_b, 1.0 / 3), Pointwise(DoubleNear(1e-15), third));
}

TEST(Slerp, PerpendicularOnesCountAsTheSameSide) {
  EXPECT_THAT(interpolated({1, 0, 0, 0}, {0, 1, 0, 0}, 0.5), Pointwise(DoubleNear(1e-15), (std::vector<double>{c, c, 0, 0})));
}

TEST(Slerp, EqualAndOppositeOnesStay) {
  const std::vector<double> a{0.5, -0.5, 0.5, 0.5}, minus{-0.5, 0.5, -0.5, -0.5};
  EXPECT_EQ(interpolated(a, a, 0.25), a);
  EXPECT_EQ(interpolated(a, minus, 0.25), a);
}

TEST(Slerp, ClampsTheDotProductOfLongOnesAndDoesNotNormalise) {
  EXPECT_EQ(interpolated({2, 0, 0, 0}, {2, 0, 0, 0}, 0.5), (std::vector<double>{2, 0, 0, 0}));
  EXPECT_EQ(interpolated({2, 0, 0, 0}, {4, 0, 0, 0}, 0.25), (std::vector<double>{2.5, 0, 0, 0}));
}

}  // namespace
}  // namespace sinew::rotor_test
