// SPDX-License-Identifier: MIT
#include "math/rotation_scale.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/guard.hpp"

#include "sinew/geometry.hpp"

namespace sinew {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;

constexpr double h = 0.70710678118654752;

TEST(RotationScale, SplitsATurnedAndStretchedMatrix) {
  const auto parts = rotation_and_scale(2, std::array<double, 4>{2 * h, 2 * h, -3 * h, 3 * h});
  ASSERT_TRUE(parts);
  EXPECT_THAT(parts->scale, ElementsAre(DoubleEq(2), DoubleEq(3)));
  EXPECT_THAT(parts->rotor(), ElementsAre(DoubleNear(std::cos(M_PI / 8), 1e-15), DoubleNear(std::sin(M_PI / 8), 1e-15)));
}

TEST(RotationScale, MirrorsByTheFirstAxis) {
  const auto parts = rotation_and_scale(3, std::array<double, 9>{1, 0, 0, 0, 2, 0, 0, 0, -4});
  ASSERT_TRUE(parts);
  EXPECT_THAT(parts->scale, ElementsAre(-1, 2, 4));
  std::array<double, 9> matrix;
  need(matrix_from_rotor(3, parts->rotor(), matrix));
  EXPECT_THAT(matrix, ElementsAre(-1, 0, 0, 0, 1, 0, 0, 0, -1));
}

TEST(RotationScale, TakesMoreDimensionsAndNone) {
  std::array<double, 25> five{};
  for (std::size_t i = 0; i < 5; ++i) five[i * 5 + (i + 1) % 5] = static_cast<double>(i + 1);  // a cycle of five axes is a rotation
  const auto parts = rotation_and_scale(5, five);
  ASSERT_TRUE(parts);
  EXPECT_THAT(parts->scale, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(parts->rotor().size(), 16);
  const auto nothing = rotation_and_scale(0, {});
  ASSERT_TRUE(nothing);
  EXPECT_THAT(nothing->rotor(), ElementsAre(1));
}

TEST(RotationScale, AllowsShearUpToTheToleranceWhateverTheSize) {
  for (const double size : {1e-120, 1.0, 1e120}) {
    EXPECT_TRUE(rotation_and_scale(2, std::array<double, 4>{size, 0, size * 0.9e-6, size})) << size;
    EXPECT_FALSE(rotation_and_scale(2, std::array<double, 4>{size, 0, size * 1.1e-6, size})) << size;
  }
  const auto small = rotation_and_scale(3, std::array<double, 9>{-1e-120, 0, 0, 0, 1e-120, 0, 0, 0, 1e-120});
  ASSERT_TRUE(small);
  EXPECT_THAT(small->scale, ElementsAre(-1e-120, 1e-120, 1e-120)) << "a mirror whose determinant is below all numbers";
}

TEST(RotationScale, RefusesFlatAndInfiniteMatrices) {
  EXPECT_FALSE(rotation_and_scale(2, std::array<double, 4>{1, 0, 0, 0}));
  EXPECT_FALSE(rotation_and_scale(2, std::array<double, 4>{1, 0, 0, NAN}));
  EXPECT_FALSE(rotation_and_scale(2, std::array<double, 4>{1, 0, 0, HUGE_VAL}));
}

}  // namespace
}  // namespace sinew
