// SPDX-License-Identifier: MIT
#include "sinew/geometry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <random>

#include "base/guard.hpp"
#include "unit/math/shapes.hpp"

namespace sinew {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::FloatNear;
using testing::IsEmpty;
using testing::Pointwise;

using Numbers = std::vector<double>;

Numbers perp(std::size_t n, const Numbers& vectors) {
  Numbers out(n);
  perpendicular(n, vectors, out);
  return out;
}

TEST(Perpendicular, HasTheFormatsNumbers) {
  EXPECT_THAT(perp(4, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(perp(4, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1}), ElementsAre(0, 0, -1, 0));
  EXPECT_THAT(perp(4, {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(perp(4, {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}), ElementsAre(-1, 0, 0, 0));
  EXPECT_THAT(perp(4, {1, 2, 0, 1, 0, 1, 3, 0, 2, 0, 1, 1}), ElementsAre(-7, -3, 1, 13));
}

TEST(Perpendicular, IsTheCrossProductAndTheQuarterTurn) {
  EXPECT_THAT(perp(3, {1, 2, 3, 4, 5, 6}), ElementsAre(-3, 6, -3));
  EXPECT_THAT(perp(2, {3, 5}), ElementsAre(-5, 3));
  EXPECT_THAT(perp(1, {}), ElementsAre(1));
}

/// By its definition: minors expanded along their first rows.
double determinant(const std::vector<Numbers>& rows) {
  if (rows.empty()) return 1;
  double sum = 0;
  for (std::size_t column = 0; column < rows.size(); ++column) {
    std::vector<Numbers> minor;
    for (std::size_t r = 1; r < rows.size(); ++r) {
      minor.push_back(rows[r]);
      minor.back().erase(minor.back().begin() + static_cast<std::ptrdiff_t>(column));
    }
    sum += (column % 2 == 0 ? 1 : -1) * rows[0][column] * determinant(minor);
  }
  return sum;
}

RC_GTEST_PROP(PerpendicularProperty, IsTheDefinition, ()) {
  const std::size_t n = *rc::gen::inRange<std::size_t>(2, 8);
  Numbers vectors;
  for (std::size_t i = 0; i < (n - 1) * n; ++i) vectors.push_back(*rc::gen::inRange(-9, 10));
  const Numbers normal = perp(n, vectors);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Numbers> rows;
    for (std::size_t k = 0; k + 1 < n; ++k) {
      rows.emplace_back(vectors.begin() + static_cast<std::ptrdiff_t>(k * n), vectors.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
      rows.back().erase(rows.back().begin() + static_cast<std::ptrdiff_t>(i));
    }
    const double expected = ((i + n - 1) % 2 == 0 ? 1 : -1) * determinant(rows);
    RC_ASSERT(std::abs(normal[i] - expected) <= 1e-12 * std::pow(25.0, static_cast<double>(n - 1)));
  }
}

TEST(Perpendicular, OfTheFirstAxesIsTheLastOneInAllDimensions) {
  for (std::size_t n = 1; n <= 16; ++n) {
    Numbers axes((n - 1) * n), expected(n);
    for (std::size_t k = 0; k + 1 < n; ++k) axes[k * n + k] = 1;
    expected[n - 1] = 1;
    EXPECT_EQ(perp(n, axes), expected) << n;
  }
}

/// The corner (0, …, 0) and one on each of the first k axes, at 2, 3, 4, …
Shape axis_simplex(std::size_t n, std::size_t k) {
  Shape shape{n, Numbers((k + 1) * n), {}};
  for (std::size_t i = 0; i < k; ++i) shape.points[(i + 1) * n + i] = static_cast<double>(i) + 2;
  return shape;
}

std::vector<std::uint32_t> counted(std::size_t count) {
  std::vector<std::uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

TEST(SimplexVolume, IsOfAnyDimensionInAnySpace) {
  for (std::size_t n = 1; n <= 9; ++n)
    for (std::size_t k = 0; k <= n; ++k)  // 2 · 3 ⋯ (k + 1) / k! = k + 1
      EXPECT_NEAR(simplex_volume(axis_simplex(n, k).positions(), counted(k + 1)), static_cast<double>(k) + 1, 1e-12) << n << ' ' << k;
  const std::vector<float> line{0, 0, 3, 4};
  EXPECT_EQ(simplex_volume<float>({line.data(), 2, 2}, counted(2)), 5);
}

TEST(SignedVolume, IsPositiveCounterClockwise) {
  const Numbers points{0, 0, 2, 0, 0, 3};
  EXPECT_NEAR(signed_volume<double>({points.data(), 3, 2}, std::vector<std::uint32_t>{0, 1, 2}), 3, 1e-15);
  EXPECT_NEAR(signed_volume<double>({points.data(), 3, 2}, std::vector<std::uint32_t>{0, 2, 1}), -3, 1e-15);
}

TEST(SimplexNormal, OfTheFormatsTetrahedronFacesW) {
  const Numbers points{0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  Numbers normal(4);
  simplex_normal<double>({points.data(), 4, 4}, counted(4), normal);
  EXPECT_THAT(normal, ElementsAre(0, 0, 0, 1));
  simplex_normal<double>({points.data(), 4, 4}, std::vector<std::uint32_t>{0, 2, 1, 3}, normal);
  EXPECT_THAT(normal, ElementsAre(0, 0, 0, -1));
}

TEST(SurfaceNormals, AreFlatOrSmoothByArea) {
  // A corner of a room: two triangles that share the edge 0–1, the second one three times as large as the first.
  const std::vector<float> points{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -3, 7, 7, 7};
  const std::vector<std::uint32_t> triangles{0, 1, 2, 0, 3, 1, 4, 4, 4};
  std::vector<float> flat(9), smooth(15);
  flat_normals<float>({points.data(), 5, 3}, {triangles.data(), 3, 3}, {flat.data(), 3, 3});
  EXPECT_THAT(flat, ElementsAre(0, 0, 1, 0, -1, 0, 0, 0, 0));
  need(smooth_normals<float>({points.data(), 5, 3}, {triangles.data(), 3, 3}, {smooth.data(), 5, 3}));
  const float a = 1 / std::sqrt(10.0f);
  EXPECT_THAT(smooth, Pointwise(FloatNear(1e-7f), std::vector<float>{0, -3 * a, a, 0, -3 * a, a, 0, 0, 1, 0, -1, 0, 0, 0, 0}));
}

TEST(SurfaceNormals, AreNotMadeOfRoundingErrors) {
  for (const std::size_t n : {3u, 4u, 5u, 7u}) {
    std::mt19937 engine(7);
    for (int trial = 0; trial < 50; ++trial) {
      Numbers points(n * n), normal(n, 9);
      for (double& x : points) x = static_cast<double>(engine() % 1000) / 997 + 0.1;
      std::vector<std::uint32_t> simplex = counted(n);
      simplex[n - 1] = simplex[1];  // the same corner twice
      flat_normals<double>({points.data(), n, n}, {simplex.data(), 1, n}, {normal.data(), 1, n});
      EXPECT_EQ(normal, Numbers(n)) << n;
    }
  }
}

TEST(Edges, OfSimplexesComeOnceInTheirFirstDirection) {
  EXPECT_THAT(need(edges_from_simplexes(3, std::vector<std::uint32_t>{5, 1, 2, 2, 1, 7})),
              ElementsAre(Edge{5, 1}, Edge{5, 2}, Edge{1, 2}, Edge{2, 7}, Edge{1, 7}));
}

TEST(PolytopeRuns, ShareTheirFirstVertex) {
  EXPECT_THAT(need(polytope_runs(3, std::vector<std::uint32_t>{4, 0, 1, 4, 1, 2, 0, 4, 1, 3, 1, 2, 3, 2, 0})), ElementsAre(0, 2, 3, 5));
  EXPECT_THAT(need(polytope_runs(4, {})), ElementsAre(0));
}

TEST(PolytopeRuns, AreBentWhereNormalsDiffer) {
  const Numbers points{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.001, 0, 1, 0.1};
  const std::vector<std::uint32_t> straight{0, 1, 2, 0, 2, 3, 0, 0, 0}, bent{0, 1, 2, 0, 2, 4}, flipped{0, 1, 2, 0, 3, 2};
  const auto first = [&](const std::vector<std::uint32_t>& simplexes) {
    return first_bent_simplex({points.data(), 5, 3}, 3, simplexes, need(polytope_runs(3, simplexes)));
  };
  EXPECT_EQ(first(straight), 3u);
  EXPECT_EQ(first(bent), 1u);
  EXPECT_EQ(first(flipped), 1u);
}

}  // namespace
}  // namespace sinew
