// SPDX-License-Identifier: MIT
#include "math/spectral_norm.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace sinew {
namespace {

TEST(SpectralNorm, IsExactForOrthogonalColumns) {
  EXPECT_DOUBLE_EQ(spectral_norm(2, std::array<double, 4>{3, 0, 0, -4}), 4);
  const double s = std::sqrt(0.5);
  EXPECT_NEAR(spectral_norm(3, std::array<double, 9>{2 * s, 2 * s, 0, -s, s, 0, 0, 0, 1}), 2, 1e-12);
  EXPECT_EQ(spectral_norm(2, std::array<double, 4>{}), 0);
  EXPECT_EQ(spectral_norm(0, {}), 0);
}

TEST(SpectralNorm, BoundsTheStretchOfAShear) {
  const std::array<double, 4> shear{1, 0, 1, 1};
  const double exact = (1 + std::sqrt(5.0)) / 2;  // the golden ratio
  const double bound = spectral_norm(2, shear);
  EXPECT_GE(bound, exact);
  EXPECT_LE(bound, exact * 1.01);
  const std::array<double, 4> huge{1e200, 0, 1e200, 1e200};
  EXPECT_TRUE(std::isinf(spectral_norm(2, huge)) || spectral_norm(2, huge) >= exact * 1e200);
}

}  // namespace
}  // namespace sinew
