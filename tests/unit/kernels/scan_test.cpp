// SPDX-License-Identifier: MIT
#include "kernels/scan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace sinew::kernels {
namespace {

TEST(Scan, DegenerateTrianglesNameAVertexTwice) {
  const std::vector<std::uint16_t> corners = {0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 7, 9, 9};  // the last triangle is not whole
  EXPECT_EQ(count_degenerate(strided_view<const std::uint16_t>(corners.data(), corners.size(), 1)), 3u);
  const std::vector<std::uint16_t> spread = {0, 9, 1, 9, 1, 9};
  EXPECT_EQ(count_degenerate(strided_view<const std::uint16_t>(spread.data(), 3, 1, 4)), 1u);
}

bool plain(std::vector<std::uint8_t> joints, std::vector<float> weights) {
  return influences_are_plain(strided_view<const std::uint8_t>(joints.data(), 1, 4), strided_view<const float>(weights.data(), 1, 4), 0, 1,
                              3, 2e-7);
}

TEST(Scan, PlainInfluences) {
  EXPECT_TRUE(plain({0, 2, 0, 0}, {0.5f, 0.5f, 0, 0}));
  EXPECT_TRUE(plain({1, 0, 0, 0}, {1, 0, 0, 0}));
  EXPECT_FALSE(plain({0, 3, 0, 0}, {0.5f, 0.5f, 0, 0})) << "joint 3 of 3";
  EXPECT_FALSE(plain({1, 1, 0, 0}, {0.5f, 0.5f, 0, 0})) << "a joint twice";
  EXPECT_FALSE(plain({0, 1, 2, 0}, {0.5f, 0.5f, 0, 0})) << "a joint without weight";
  EXPECT_FALSE(plain({0, 1, 0, 0}, {1.5f, -0.5f, 0, 0})) << "a negative weight";
  EXPECT_FALSE(plain({0, 1, 0, 0}, {0.5f, 0.4999f, 0, 0})) << "another sum";
  EXPECT_FALSE(plain({0, 0, 0, 0}, {0, 0, 0, 0})) << "no weight";
  EXPECT_FALSE(plain({0, 1, 0, 0}, {0.5f, std::nanf(""), 0, 0})) << "no number";
}

}  // namespace
}  // namespace sinew::kernels
