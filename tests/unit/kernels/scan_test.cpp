// SPDX-License-Identifier: MIT
#include "kernels/scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/bounds.hpp"

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
                              3, 2e-7F);
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

// Rows after each other are handled several at a time, rows apart one by one.
TEST(Scan, OneRowOfManyIsNotPlain) {
  constexpr std::size_t rows = 50;
  for (const std::size_t width : {4U, 6U}) {
    std::vector<std::uint16_t> joints(rows * width);
    std::vector<float> weights(rows * width);
    const strided_view<const std::uint16_t> slots(joints.data(), rows, 4, width * sizeof(std::uint16_t));
    const strided_view<const float> values(weights.data(), rows, 4, width * sizeof(float));
    for (std::size_t row = 0; row < rows; ++row) {
      joints[row * width + 2] = static_cast<std::uint16_t>(row);
      weights[row * width + 2] = 1 - 3 / 16777216.0F;  // 1.8e-7 less than 1
    }
    const auto plain = [&] { return influences_are_plain(slots, values, 1, rows, rows, 2e-7F); };
    EXPECT_TRUE(plain());
    EXPECT_FALSE(influences_are_plain(slots, values, 1, rows, rows - 1, 2e-7F));
    for (std::size_t row = 0; row < rows; ++row) {
      float& weight = weights[row * width + 2];
      const float before = std::exchange(weight, 1 - 4 / 16777216.0F);
      EXPECT_EQ(plain(), row == 0) << row;
      weight = before;
    }
  }
}

// Of 1000 rows, long enough for several rows at a time, with values at the ends that are smallest and largest; a stride leaves a gap.
void expect_bounds(std::size_t width, std::size_t stride) {
  std::vector<float> values(1000 * stride, std::numeric_limits<float>::quiet_NaN());
  std::vector<float> low(width), high(width), least(width), most(width);
  for (std::size_t row = 0; row < 1000; ++row)
    for (std::size_t c = 0; c < width; ++c) {
      const float value = static_cast<float>((row * 7 + c * 3) % 1000) - 500;
      values[row * stride + c] = value;
      low[c] = row == 0 ? value : std::min(low[c], value);
      high[c] = row == 0 ? value : std::max(high[c], value);
    }
  EXPECT_TRUE(bounds(strided_view<const float>(values.data(), 1000, width, stride * sizeof(float)), least.data(), most.data()));
  EXPECT_EQ(least, low);
  EXPECT_EQ(most, high);
}

TEST(Bounds, OfEveryComponentWhateverTheWidthAndTheStride) {
  for (const std::size_t width : {1u, 2u, 3u, 4u, 9u, 16u}) {
    SCOPED_TRACE(width);
    expect_bounds(width, width);
    expect_bounds(width, width + 1);
  }
}

TEST(Bounds, OfIntegers) {
  std::vector<std::uint8_t> values(999, 7);
  values[998] = 255;
  values[3] = 0;
  std::uint8_t least[3], most[3];
  EXPECT_TRUE(bounds(strided_view<const std::uint8_t>(values.data(), 333, 3), least, most));
  EXPECT_EQ(std::vector<int>(least, least + 3), (std::vector<int>{0, 7, 7}));
  EXPECT_EQ(std::vector<int>(most, most + 3), (std::vector<int>{7, 7, 255}));
}

TEST(Bounds, TellWhereAnyValueIsNotFinite) {
  for (const float broken : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()})
    for (const std::size_t at : {0u, 1u, 500u, 1499u, 1999u}) {
      SCOPED_TRACE(at);
      std::vector<float> values(2000, 1);
      values[at] = broken;
      float least[2], most[2];
      EXPECT_FALSE(bounds(strided_view<const float>(values.data(), 1000, 2), least, most));
      EXPECT_EQ(most[at == 0 ? 1 : 0], 1) << "the other component";
    }
}

}  // namespace
}  // namespace sinew::kernels
