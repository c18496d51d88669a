// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sinew/geometry.hpp"

namespace sinew {
namespace {

double number(int limit = 100) { return *rc::gen::inRange(-limit, limit + 1) / 16.0; }

Affine random_map(std::size_t n) {
  Affine map(n);
  for (std::size_t j = 0; j <= n; ++j)
    for (std::size_t i = 0; i < n; ++i) map(i, j) = number();
  return map;
}

/// A rank-one update of the identity, 1 + u·vᵀ with u·v ≥ 0: never near singular, whatever the dimension.
Affine random_regular_map(std::size_t n) {
  Affine map = random_map(n);
  std::vector<double> u(n), v(n);
  double dot = 0;
  for (std::size_t i = 0; i < n; ++i) u[i] = number(16), v[i] = number(16), dot += u[i] * v[i];
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) map(i, j) = (i == j ? 1 : 0) + (dot < 0 ? -1 : 1) * u[i] * v[j];
  return map;
}

double distance(const Affine& a, const Affine& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i) largest = std::max(largest, std::abs(a.values()[i] - b.values()[i]));
  return largest;
}

TEST(Affine, StoresColumnsThenTranslation) {
  const std::array<double, 6> columns{1, 2, 3, 4, 5, 6};
  const Affine map(2, columns);
  EXPECT_EQ(map(1, 0), 2);
  EXPECT_EQ(map(0, 1), 3);
  EXPECT_EQ(map.translation(1), 6);
  std::array<double, 2> point{10, 100};
  map.apply(point, point);
  EXPECT_EQ(point, (std::array<double, 2>{1 * 10 + 3 * 100 + 5, 2 * 10 + 4 * 100 + 6}));
}

TEST(Affine, DimensionZeroHasOneMap) {
  const Affine map(0);
  EXPECT_EQ(determinant(map), 1);
  EXPECT_EQ(inverse(map), map);
  EXPECT_EQ(map * map, map);
}

RC_GTEST_PROP(AffineProperty, ProductAppliesTheRightFactorFirst, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 8);
  const Affine a = random_map(n), b = random_map(n);
  std::vector<double> point(n), chained(n), composed(n);
  for (double& x : point) x = number();
  b.apply(point, chained);
  a.apply(chained, chained);
  (a * b).apply(point, composed);
  for (std::size_t i = 0; i < n; ++i) RC_ASSERT(std::abs(chained[i] - composed[i]) <= 1e-9 * (1 + std::abs(chained[i])));
}

RC_GTEST_PROP(AffineProperty, InverseUndoesTheMap, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 17);
  const Affine map = random_regular_map(n);
  const auto inverted = inverse(map);
  RC_ASSERT(inverted.has_value());
  RC_ASSERT(distance(*inverted * map, Affine(n)) < 1e-7);
}

TEST(Affine, InverseOfSimpleMapsIsExact) {
  Affine map(3);
  map(0, 0) = 2, map(1, 1) = -4, map(2, 2) = 0.5;
  map.translation(0) = 3, map.translation(2) = -1;
  const auto inverted = inverse(map);
  ASSERT_TRUE(inverted);
  Affine expected(3);
  expected(0, 0) = 0.5, expected(1, 1) = -0.25, expected(2, 2) = 2;
  expected.translation(0) = -1.5, expected.translation(2) = 2;
  EXPECT_EQ(*inverted, expected);
}

TEST(Affine, InverseSeesTheShapeNotTheScale) {
  for (const std::size_t n : {3u, 5u}) {
    Affine tiny(n), flat(n), sheared(n);
    for (std::size_t i = 0; i < n; ++i) tiny(i, i) = 1e-30;
    tiny(0, 0) = 1e20;
    EXPECT_TRUE(inverse(tiny).has_value());
    flat(1, 1) = 0;
    EXPECT_FALSE(inverse(flat).has_value());
    sheared(0, 1) = 1, sheared(1, 1) = 1e-17;  // two columns as good as parallel
    EXPECT_FALSE(inverse(sheared).has_value());
    Affine broken(n);
    broken.translation(0) = NAN;
    EXPECT_FALSE(inverse(broken).has_value());
  }
}

TEST(Affine, DeterminantIsNegativeForMirrors) {
  for (const std::size_t n : {1u, 2u, 3u, 4u, 7u}) {
    Affine mirror(n);
    mirror(n - 1, n - 1) = -2;
    EXPECT_DOUBLE_EQ(determinant(mirror), -2);
  }
}

/// By the definition, with Eigen's determinant for minors.
std::vector<double> cofactor_by_minors(const Affine& map) {
  const auto n = static_cast<Eigen::Index>(map.dimension());
  std::vector<double> out;
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = 0; i < n; ++i) {
      Eigen::MatrixXd minor(n - 1, n - 1);
      for (Eigen::Index c = 0; c + 1 < n; ++c)
        for (Eigen::Index r = 0; r + 1 < n; ++r)
          minor(r, c) = map(static_cast<std::size_t>(r + (r >= i)), static_cast<std::size_t>(c + (c >= j)));
      out.push_back(((i + j) % 2 == 0 ? 1 : -1) * (n == 1 ? 1.0 : minor.fullPivLu().determinant()));
    }
  }
  return out;
}

void expect_cofactor(const Affine& map) {
  const std::size_t n = map.dimension();
  std::vector<double> got(n * n);
  cofactor(map, got);
  const std::vector<double> want = cofactor_by_minors(map);
  double scale = 1e-300;
  for (const double x : want) scale = std::max(scale, std::abs(x));
  double size = 1;  // what cancels to 0 in the minors was about this large
  for (const double x : map.values()) size = std::max(size, std::abs(x));
  const double tolerance = 1e-10 * std::max(scale, std::pow(size, static_cast<double>(n) - 1));
  for (std::size_t i = 0; i < n * n; ++i) ASSERT_NEAR(got[i], want[i], tolerance) << "n " << n << " entry " << i;
}

RC_GTEST_PROP(CofactorProperty, AgreesWithMinors, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 8);
  expect_cofactor(random_map(n));
}

RC_GTEST_PROP(CofactorProperty, IsDefinedForSingularMaps, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 8);
  const auto lost = *rc::gen::inRange<std::size_t>(1, n + 1);  // columns that repeat the first, or the last one zero
  Affine map = random_map(n);
  for (std::size_t j = n - lost; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) map(i, j) = j == 0 ? 0 : map(i, 0);
  expect_cofactor(map);
}

TEST(Cofactor, OfAFlatMapKeepsTheNormalOfItsImage) {
  for (const std::size_t n : {2u, 3u, 4u, 6u}) {  // everything pressed onto the hyperplane x_last = 0
    Affine flat(n);
    flat(n - 1, n - 1) = 0;
    std::vector<double> got(n * n);
    cofactor(flat, got);
    for (std::size_t i = 0; i < n * n; ++i) EXPECT_EQ(got[i], i == n * n - 1 ? 1 : 0);
  }
}

}  // namespace
}  // namespace sinew
