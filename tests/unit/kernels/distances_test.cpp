// SPDX-License-Identifier: MIT
#include "kernels/distances.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace sinew::kernels {
namespace {

/// The sum as compare defines it: pair by pair, in order.
DistanceSum expected(const std::vector<float>& a, const std::vector<float>& b, std::size_t width, const std::vector<RowPair>& pairs) {
  DistanceSum sum;
  for (const RowPair& rows : pairs) {
    const double d = distance(&a[rows.a * width], &b[rows.b * width], width);
    sum.squares += d * d;
    sum.max = std::max(sum.max, d);
  }
  return sum;
}

TEST(Distances, HaveTheBitsOfASumInOrder) {
  for (const std::size_t width : {1U, 2U, 3U, 4U, 5U, 7U}) {
    std::vector<float> a, b;
    std::vector<RowPair> pairs;
    for (std::uint32_t row = 0; row < 333; ++row) {
      pairs.push_back({row, (row * 97 + 5) % 333});
      for (std::size_t c = 0; c < width; ++c) {
        a.push_back(std::sin(static_cast<float>(row * 7 + c)) * 1000);
        b.push_back(std::cos(static_cast<float>(row * 11 + c)));
      }
    }
    const DistanceSum sum = distances(a.data(), b.data(), width, pairs), wanted = expected(a, b, width, pairs);
    EXPECT_EQ(sum.squares, wanted.squares) << width;
    EXPECT_EQ(sum.max, wanted.max) << width;
  }
  EXPECT_EQ(distances(nullptr, nullptr, 3, {}).max, 0);
}

TEST(Distances, AreInfiniteForWhatIsNoNumber) {
  for (const float lost : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    std::vector<float> a(30), b(30);
    a[16] = lost;
    std::vector<RowPair> pairs;
    for (std::uint32_t row = 0; row < 10; ++row) pairs.push_back({row, row});
    EXPECT_TRUE(std::isinf(distances(a.data(), b.data(), 3, pairs).max));
    EXPECT_TRUE(std::isinf(distances(a.data(), b.data(), 3, pairs).squares));
    b[16] = lost;  // equal infinities have no difference that is a number
    EXPECT_TRUE(std::isinf(distances(a.data(), b.data(), 3, pairs).max));
  }
}

}  // namespace
}  // namespace sinew::kernels
