// SPDX-License-Identifier: MIT
#include "sinew/pick.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace sinew {
namespace {

/// Two squares of two triangles each, at z = 1 and z = 3, seen by different instances.
struct Squares {
  std::vector<float> positions;
  std::vector<std::uint32_t> triangles;
  std::vector<InstanceRows> instances;
  Squares() {
    for (const float z : {1.0f, 3.0f}) {
      const auto first = static_cast<std::uint32_t>(positions.size() / 3);
      positions.insert(positions.end(), {0, 0, z, 2, 0, z, 2, 2, z, 0, 2, z});
      for (const std::uint32_t corner : {0u, 1u, 2u, 0u, 2u, 3u}) triangles.push_back(first + corner);
      instances.push_back({static_cast<Index>(instances.size()), 0, first, 4, 0});
    }
  }
  [[nodiscard]] std::optional<RayHit> at(const Ray& ray) const { return hit(ray, positions, triangles, instances); }
};

TEST(Pick, TheNearestTriangleWithItsWeights) {
  const Squares squares;
  const auto found = squares.at({{1.5, 0.5, -1}, {0, 0, 2}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->instance, 0U);
  EXPECT_EQ(found->triangle, 0U);
  EXPECT_DOUBLE_EQ(found->distance, 1);  // 2 in lengths of 2
  EXPECT_NEAR(found->barycentric[0], 0.25, 1e-12);
  EXPECT_NEAR(found->barycentric[1], 0.5, 1e-12);
  EXPECT_NEAR(found->barycentric[2], 0.25, 1e-12);
  const auto behind = squares.at({{0.5, 1.5, 2}, {0, 0, 1}});
  ASSERT_TRUE(behind);
  EXPECT_EQ(behind->instance, 1U);
  EXPECT_EQ(behind->triangle, 3U);
  const auto back = squares.at({{0.5, 1.5, 2}, {0, 0, -1}});
  ASSERT_TRUE(back);
  EXPECT_EQ(back->instance, 0U);
}

TEST(Pick, MissesBesideAndBehind) {
  const Squares squares;
  EXPECT_FALSE(squares.at({{3, 1, 0}, {0, 0, 1}}));
  EXPECT_FALSE(squares.at({{1, 1, 4}, {0, 0, 1}}));
  EXPECT_FALSE(squares.at({{1, 1, 1}, {1, 0, 0}})) << "in the plane of a square";
  EXPECT_FALSE(hit({{0, 0, 0}, {0, 0, 1}}, {}, {}, {}));
}

TEST(Pick, NoRayPassesThroughAnEdge) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  // A fan about (1, 1, 1) with odd corners: rays at points of its edges, rounded.
  std::vector<float> positions{1, 1, 1};
  std::vector<std::uint32_t> triangles;
  constexpr std::uint32_t count = 9;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double angle = 2 * 3.14159265358979 * i / count;
    positions.insert(positions.end(), {static_cast<float>(1 + 3 * std::cos(angle)), static_cast<float>(1 + 3 * std::sin(angle)),
                                       static_cast<float>(1 + 0.3 * any(random))});
    triangles.insert(triangles.end(), {0, 1 + i, 1 + (i + 1) % count});
  }
  const std::vector<InstanceRows> instances{{0, 0, 0, 1 + count, 0}};
  for (int trial = 0; trial < 20000; ++trial) {
    const std::size_t spoke = 1 + random() % count;
    const double t = 0.98 * std::abs(any(random));
    Ray ray;
    for (std::size_t c = 0; c < 3; ++c) {
      const double point = (1 - t) * static_cast<double>(positions[c]) + t * static_cast<double>(positions[3 * spoke + c]);
      ray.origin[c] = c == 2 ? -5 + any(random) : 1 + any(random);
      ray.direction[c] = point - ray.origin[c];
    }
    const auto found = hit(ray, positions, triangles, instances);
    ASSERT_TRUE(found) << trial;
    EXPECT_NEAR(found->distance, 1, 1e-6);
  }
}

TEST(Pick, RowsThatAreNotFiniteAreNeverMet) {
  Squares squares;
  squares.positions[2] = std::nanf("");
  const auto found = squares.at({{1.5, 0.5, -1}, {0, 0, 1}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->instance, 1U);
}

}  // namespace
}  // namespace sinew
