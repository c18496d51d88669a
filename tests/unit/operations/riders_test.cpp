// SPDX-License-Identifier: MIT
#include "operations/fit/riders.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sinew::operations::weights {
namespace {

/// Appends a grid of side × side places around the origin at a height.
void append_grid(std::size_t side, double step, double height, std::vector<Vec>& points, std::vector<Triangle>& triangles) {
  const auto first = static_cast<std::uint32_t>(points.size()), row = static_cast<std::uint32_t>(side);
  const double half = step * static_cast<double>(side - 1) / 2;
  for (std::size_t z = 0; z < side; ++z)
    for (std::size_t x = 0; x < side; ++x)
      points.push_back({step * static_cast<double>(x) - half, height, step * static_cast<double>(z) - half});
  for (std::uint32_t z = 0; z + 1 < row; ++z)
    for (std::uint32_t x = 0; x + 1 < row; ++x) {
      const std::uint32_t at = first + z * row + x;
      triangles.push_back({at, at + row, at + 1});
      triangles.push_back({at + 1, at + row, at + row + 1});
    }
}

double hill(const Vec& point) { return 0.3 * std::exp(-8 * (point[0] * point[0] + point[2] * point[2])); }

/// A cloth of 21 × 21 places with a patch of 5 × 5 above it; the cloth has moved to a hill, the patch has not.
struct Cloth {
  explicit Cloth(double patch_height) {
    append_grid(21, 0.1, 0, vertices, triangles);
    append_grid(5, 0.05, patch_height, vertices, triangles);
    mesh = WeldedMesh::create(vertices, triangles);
    points = mesh.points;
    for (std::size_t i = 0; i < 21 * 21; ++i) points[mesh.point_of[i]][1] += hill(vertices[i]);
  }
  [[nodiscard]] double height(std::size_t of_patch) const { return points[mesh.point_of[21 * 21 + of_patch]][1]; }

  std::vector<Vec> vertices, points;
  std::vector<Triangle> triangles;
  WeldedMesh mesh;
};

TEST(Riders, APatchMovesWithTheClothBelowIt) {
  Cloth cloth(0.02);
  carry_riders(cloth.mesh, cloth.mesh.points, std::vector<std::uint8_t>(cloth.points.size()), 0.05, 1, cloth.points);
  for (std::size_t i = 0; i < 25; ++i) {
    const Vec& start = cloth.vertices[21 * 21 + i];
    EXPECT_GT(cloth.height(i), hill(start) + 0.005) << i;
    EXPECT_LT(cloth.height(i), hill(start) + 0.1) << i;
  }
}

TEST(Riders, APatchThatHangsFreeStays) {
  Cloth cloth(0.2);
  carry_riders(cloth.mesh, cloth.mesh.points, std::vector<std::uint8_t>(cloth.points.size()), 0.05, 1, cloth.points);
  for (std::size_t i = 0; i < 25; ++i) EXPECT_EQ(cloth.height(i), 0.2);
}

TEST(Riders, WhatIsFittedByItselfStays) {
  Cloth cloth(0.02);
  std::vector<std::uint8_t> alone(cloth.points.size());
  for (std::size_t i = 0; i < 25; ++i) alone[cloth.mesh.point_of[21 * 21 + i]] = 1;
  carry_riders(cloth.mesh, cloth.mesh.points, alone, 0.05, 1, cloth.points);
  for (std::size_t i = 0; i < 25; ++i) EXPECT_EQ(cloth.height(i), 0.02);
}

TEST(Riders, ABuckleLiesOnItsBelt) {
  Cloth cloth(0.02);
  append_grid(3, 0.04, 0.03, cloth.vertices, cloth.triangles);
  cloth.mesh = WeldedMesh::create(cloth.vertices, cloth.triangles);
  cloth.points = cloth.mesh.points;
  for (std::size_t i = 0; i < 21 * 21; ++i) cloth.points[cloth.mesh.point_of[i]][1] += 0.5;
  carry_riders(cloth.mesh, cloth.mesh.points, std::vector<std::uint8_t>(cloth.points.size()), 0.05, 1, cloth.points);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(cloth.height(25 + i), 0.53, 0.005) << i;
  for (std::size_t i = 0; i < 25; ++i) EXPECT_NEAR(cloth.height(i), 0.52, 0.005) << i;
}

TEST(Riders, WhatSankWhenTheClothesWerePosedComesOutAgain) {
  Cloth posed(0.001), made(0.02);
  carry_riders(posed.mesh, made.mesh.points, std::vector<std::uint8_t>(posed.points.size()), 0.05, 1, posed.points);
  for (std::size_t i = 0; i < 25; ++i) EXPECT_GT(posed.height(i), hill(posed.vertices[21 * 21 + i]) + 0.01) << i;
}

}  // namespace
}  // namespace sinew::operations::weights
