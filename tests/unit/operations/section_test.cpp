// SPDX-License-Identifier: MIT
// Cross-sections as arrays: known bodies, and random ones compared with the formula for the cross-section of a simplex.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <set>

#include "base/guard.hpp"
#include "unit/math/shapes.hpp"
#include "unit/operations/bodies.hpp"

#include "sinew/slice.hpp"

namespace sinew::operations {
namespace {

using test::Body;
using test::Simplex;

/// The 24-cell of test::cell24, triangulated, as a list of tetrahedra that face out.
struct Mesh4 {
  std::vector<float> positions;
  std::vector<std::uint32_t> simplexes;
};
Mesh4 cell24() {
  test::Shape shape = test::cell24();
  turn_outward(shape);
  const auto cut = triangulate(shape.polytopes, 1, shape.positions(), 1 << 20);
  return {{shape.points.begin(), shape.points.end()}, cut->simplexes};
}

Section section_of(std::size_t n, const std::vector<float>& positions, std::vector<std::uint32_t> simplexes, const Hyperplane& plane) {
  Slicer slicer = need(Slicer::create(n, {{n, std::move(simplexes)}}));
  Section section;
  EXPECT_TRUE(slicer.run({positions.data(), positions.size() / n, n}, plane, section));
  return section;
}

Section section_of(const Body& body, const Hyperplane& plane) { return section_of(body.n, body.positions(), surface_of(body), plane); }

std::vector<Simplex> pieces_of(const Section& section) {
  std::vector<Simplex> pieces;
  const Section::Group& group = section.groups.at(0);
  for (auto at = group.pieces.begin(); at != group.pieces.end(); at += static_cast<std::ptrdiff_t>(group.corners))
    pieces.emplace_back(at, at + static_cast<std::ptrdiff_t>(group.corners));
  return pieces;
}

/// Returns the volume that pieces enclose, positive if they face outwards, by the divergence theorem.
double enclosed(const Section& section, std::size_t n) {
  double sum = 0, factorial = 1;
  for (std::size_t i = 2; i <= n; ++i) factorial *= static_cast<double>(i);
  const strided_view<const float> positions(section.positions.data(), section.vertices.size(), n);
  std::vector<double> normal(n);
  for (const Simplex& piece : pieces_of(section)) {
    simplex_normal(positions, piece, normal);
    for (std::size_t i = 0; i < n; ++i) sum += normal[i] * double{positions[piece[0]][i]};
  }
  return sum / factorial;
}

/// A closed manifold: every facet of a piece belongs to exactly one other piece, with the opposite orientation.
testing::AssertionResult is_closed_manifold(const Section& section) {
  std::map<Simplex, std::pair<int, int>> uses;
  for (const Simplex& piece : pieces_of(section))
    for (std::size_t out = 0; out < piece.size(); ++out) {
      Simplex facet = piece;
      facet.erase(facet.begin() + static_cast<std::ptrdiff_t>(out));
      test::Chain one;
      test::add_to(one, facet, out % 2 == 0 ? 1 : -1);
      (one.begin()->second > 0 ? uses[one.begin()->first].first : uses[one.begin()->first].second) += 1;
    }
  for (const auto& [facet, sides] : uses)
    if (sides != std::pair(1, 1))
      return testing::AssertionFailure() << "facet " << testing::PrintToString(facet) << " is used " << sides.first << " and "
                                         << sides.second << " times";
  return testing::AssertionSuccess();
}

/// Vertices − edges + faces − …
int euler_characteristic(const Section& section) {
  std::set<Simplex> parts;
  for (Simplex piece : pieces_of(section)) {
    std::ranges::sort(piece);
    for (std::uint32_t chosen = 1; chosen < 1u << piece.size(); ++chosen) {
      Simplex part;
      for (std::size_t c = 0; c < piece.size(); ++c)
        if ((chosen >> c & 1) != 0) part.push_back(piece[c]);
      parts.insert(part);
    }
  }
  int sum = 0;
  for (const Simplex& part : parts) sum += part.size() % 2 == 0 ? -1 : 1;
  return sum;
}

void expect_closed_body(const Section& section, std::size_t n, double volume, double tolerance = 1e-5) {
  EXPECT_TRUE(is_closed_manifold(section));
  EXPECT_EQ(euler_characteristic(section), n % 2 == 0 ? 0 : 2);  // of a sphere of n−1 dimensions
  EXPECT_NEAR(enclosed(section, n), volume, tolerance);
  std::set<std::vector<float>> places;
  for (std::size_t v = 0; v < section.vertices.size(); ++v)
    places.emplace(section.positions.begin() + static_cast<std::ptrdiff_t>(v * n),
                   section.positions.begin() + static_cast<std::ptrdiff_t>((v + 1) * n));
  EXPECT_EQ(places.size(), section.vertices.size()) << "vertices at one place";
}

TEST(Section, OfATesseractAlongEveryAxisIsACube) {
  for (std::size_t axis = 0; axis < 4; ++axis)
    for (const double offset : {-0.99, -0.5, 0.0, 0.3, 1.0}) {
      SCOPED_TRACE(fmt::format("axis {} offset {}", axis, offset));
      expect_closed_body(section_of(test::box(4), {axis, offset, {}}), 3, 8);
    }
}

TEST(Section, IsThatOfAHyperplaneABitLower) {
  EXPECT_EQ(section_of(test::box(4), {3, 1, {}}).vertices.size(), 8u);
  EXPECT_THAT(section_of(test::box(4), {3, -1, {}}).vertices, testing::IsEmpty());
  EXPECT_THAT(section_of(test::box(4), {3, 1.001, {}}).vertices, testing::IsEmpty());
}

// The slice of [0, 1]^N by x₁ + … + x_N = t is √N / (N−1)! · Σ (−1)^k C(N, k) (t − k)₊^(N−1) large.
TEST(Section, OfATesseractAcrossItsDiagonal) {
  for (const double t : {0.2, 1.0, 1.3, 2.0, 2.5, 3.0, 3.9}) {
    SCOPED_TRACE(t);
    double sum = 0;
    for (int k = 0, choose = 1; k <= 4; choose = choose * (4 - k) / (k + 1), ++k)
      sum += (k % 2 == 0 ? 1 : -1) * choose * std::pow(std::max(t - k, 0.0), 3);
    expect_closed_body(section_of(test::box(4), {3, 2 * t - 4, {1, 1, 1, 1}}), 3, 8 * 2 * sum / 6);
  }
}

TEST(Section, OfThe24CellIsACutOctahedron) {
  const Mesh4 mesh = cell24();
  for (std::size_t axis = 0; axis < 4; ++axis)
    for (const double offset : {-0.9, -0.5, 0.0, 0.25, 0.75}) {
      SCOPED_TRACE(fmt::format("axis {} offset {}", axis, offset));
      const double r = 2 - std::abs(offset);
      expect_closed_body(section_of(4, mesh.positions, mesh.simplexes, {axis, offset, {}}), 3, 4 * r * r * r / 3 - 4 * std::pow(r - 1, 3));
    }
  expect_closed_body(section_of(4, mesh.positions, mesh.simplexes, {3, 1, {}}), 3, 4.0 / 3);  // a cell of it, an octahedron
}

TEST(Section, OfA5CellShrinksTowardsItsCorner) {
  for (const double offset : {0.01, 0.5, 0.9})
    for (std::size_t axis = 0; axis < 4; ++axis)
      expect_closed_body(section_of(test::corner_simplex(4), {axis, offset, {}}), 3, std::pow(1 - offset, 3) / 6);
  EXPECT_THAT(section_of(test::corner_simplex(4), {0, 1, {}}).vertices, testing::IsEmpty()) << "a corner alone";
}

TEST(Section, OfASpherinderIsABallOrACylinder) {
  const Body body = product(test::ball(3), test::segment(-1, 1));
  double ball = 0;
  for (const Body half = test::ball(3); const Simplex& simplex : half.simplexes) ball += signed_volume_of(half, simplex);
  EXPECT_NEAR(ball, 4 * std::numbers::pi / 3, 0.15);
  for (const double offset : {-0.5, 0.0, 1.0}) expect_closed_body(section_of(body, {3, offset, {}}), 3, ball);
  for (const double offset : {0.0, 0.25, 0.6})
    expect_closed_body(section_of(body, {0, offset, {}}), 3, 2 * std::numbers::pi * (1 - offset * offset), 0.3);
}

TEST(Section, OfADuocylinderIsACylinderOfTheChord) {
  constexpr std::size_t corners = 12;
  const Body body = product(test::polygon(corners), test::polygon(corners));
  const double area = corners / 2.0 * std::sin(2 * std::numbers::pi / corners);
  const double side = std::numbers::pi / 6;
  const auto half_chord = [&](double x) {  // of the polygon at that x, between its corners at 0°, 30°, 60° and 90°
    for (int i = 0; i < 3; ++i) {
      const double right = std::cos(i * side), left = std::cos((i + 1) * side);
      if (x > left - 1e-9) return std::sin((i + 1) * side) + (std::sin(i * side) - std::sin((i + 1) * side)) * (x - left) / (right - left);
    }
    return 0.0;
  };
  for (std::size_t axis = 0; axis < 4; ++axis)
    for (const double offset : {0.0, 0.1, 0.5, 0.8660254, 0.95}) {
      SCOPED_TRACE(fmt::format("axis {} offset {}", axis, offset));
      expect_closed_body(section_of(body, {axis, offset, {}}), 3, area * 2 * half_chord(offset), 1e-4);
    }
}

TEST(Section, InTwoFiveAndSixDimensions) {
  expect_closed_body(section_of(test::box(5), {2, 0.5, {}}), 4, 16);
  expect_closed_body(section_of(test::corner_simplex(5), {4, 0.5, {}}), 4, 1.0 / 16 / 24);
  expect_closed_body(section_of(test::corner_simplex(6), {0, 0.25, {}}), 5, std::pow(0.75, 5) / 120);
  const Section outline = section_of(test::box(3), {2, 0.5, {}});
  expect_closed_body(outline, 2, 4);
}

TEST(Section, OfASectionIsOneDimensionLess) {
  const Section first = section_of(test::box(5), {4, 0.25, {}});
  for (std::size_t axis = 0; axis < 4; ++axis)
    expect_closed_body(section_of(4, first.positions, first.groups[0].pieces, {axis, 0.5, {}}), 3, 8);
}

TEST(Section, ByANormalAlongAnAxisIsThatOfTheAxis) {
  const Body body = product(test::ball(1), test::segment(-1, 1));
  const Section by_axis = section_of(body, {3, 0.25, {}}), by_normal = section_of(body, {3, 0.5, {0, 0, 0, 2}});
  EXPECT_EQ(by_axis.positions, by_normal.positions);
  EXPECT_EQ(by_axis.groups[0].pieces, by_normal.groups[0].pieces);
  expect_closed_body(section_of(body, {3, 0.25, {0, 0, 0, -1}}), 3, enclosed(by_axis, 3));
  expect_closed_body(section_of(body, {0, 0.25, {0, 0, 0, 1}}), 3, enclosed(by_axis, 3));
}

TEST(Section, TellsWhereItsVerticesAndCornersAre) {
  const Body body = test::corner_simplex(4);
  const std::vector<std::uint32_t> simplexes = surface_of(body);
  const Section section = section_of(4, body.positions(), simplexes, {3, 0.25, {}});
  for (const Section::Vertex& vertex : section.vertices) {
    EXPECT_EQ(vertex.above, 4u);  // the end of the last axis
    EXPECT_DOUBLE_EQ(vertex.t, 0.75);
  }
  const Section::Group& group = section.groups[0];
  for (std::size_t i = 0; i < group.pieces.size(); ++i) {
    const std::size_t simplex = group.simplex[i / group.corners];
    EXPECT_EQ(simplexes[simplex * 4 + group.corner_between[i].above], section.vertices[group.pieces[i]].above);
    EXPECT_EQ(simplexes[simplex * 4 + group.corner_between[i].below], section.vertices[group.pieces[i]].below);
  }
}

TEST(Section, OfLinesIsPointsEachOnce) {
  const std::vector<float> positions{0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0, 2, 0, -1};
  Slicer slicer = need(Slicer::create(4, {{2, {0, 1, 0, 2, 3, 0, 1, 3}}}));
  Section section;
  ASSERT_TRUE(slicer.run({positions.data(), 4, 4}, {3, 0, {}}, section));
  EXPECT_EQ(section.groups[0].corners, 1u);
  EXPECT_THAT(section.positions, testing::ElementsAre(0, 0, 0, 0, 1, 0));  // vertex 0 itself, met by two lines; half way between 1 and 3
  EXPECT_THAT(section.groups[0].pieces, testing::ElementsAre(0, 1));
}

// What x·e = t meets of a simplex with corners at the heights hᵢ is volume · N · Σ (hᵢ − t)₊^(N−1) / Π_{j≠i} (hᵢ − hⱼ) large: a B-spline
// (Curry and Schoenberg, 1966).
double meets(const Body& body, const Simplex& simplex, double t) {
  double sum = 0;
  const auto height = [&](std::uint32_t v) { return body.points[v * body.n + body.n - 1]; };
  for (const std::uint32_t i : simplex) {
    if (height(i) <= t) continue;
    double term = std::pow(height(i) - t, static_cast<double>(body.n) - 1);
    for (const std::uint32_t j : simplex)
      if (j != i) term /= height(i) - height(j);
    sum += term;
  }
  return signed_volume_of(body, simplex) * static_cast<double>(body.n) * sum;
}

/// A closed chain: boundaries of some simplexes, which may overlap and share anything.
Body random_body(std::size_t n, std::mt19937& random, bool distinct_heights) {
  Body body{n, {}, {}};
  const std::size_t vertices = n + 3;
  std::vector<double> heights(vertices);
  std::iota(heights.begin(), heights.end(), -3.0);
  std::ranges::shuffle(heights, random);
  std::uniform_int_distribution<int> coordinate(-3, 3);
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::size_t i = 0; i + 1 < n; ++i) body.points.push_back(coordinate(random));
    body.points.push_back(distinct_heights ? heights[v] : coordinate(random) / 2);
  }
  Simplex all(vertices);
  std::iota(all.begin(), all.end(), 0u);
  for (int s = 0; s < 5; ++s) {
    std::ranges::shuffle(all, random);
    body.simplexes.emplace_back(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n) + 1);
  }
  return body;
}

bool is_closed(const Section& section) { return test::boundary(pieces_of(section)).empty(); }

RC_GTEST_PROP(Section, OfAnyClosedMeshIsClosedAndAsLargeAsTheFormulaSays, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(3, 7);
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const Body body = random_body(n, random, true);
  for (const double t : {-1.5, 0.0, 0.25, 1.0}) {
    const Section section = section_of(body, {n - 1, t, {}});
    double expected = 0;
    for (const Simplex& simplex : body.simplexes) expected += meets(body, simplex, t);
    RC_ASSERT(is_closed(section));
    const double found = enclosed(section, n - 1);
    if (!(std::abs(found - expected) < 1e-4 * std::max(1.0, std::abs(expected)))) RC_FAIL(fmt::format("{} is not {}", found, expected));
  }
}

RC_GTEST_PROP(Section, ThroughPartsOfTheMeshIsTheLimitFromBelow, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(3, 6);
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const Body body = random_body(n, random, false);
  for (const double t : {-1.0, 0.0, 1.0}) {
    const Section at = section_of(body, {n - 1, t, {}}), lower = section_of(body, {n - 1, t - 1e-5, {}});
    RC_ASSERT(is_closed(at));
    RC_ASSERT(is_closed(lower));
    RC_ASSERT(std::abs(enclosed(at, n - 1) - enclosed(lower, n - 1)) < 1e-2);
  }
}

RC_GTEST_PROP(Section, ByAnyNormalIsThatOfTheTurnedMesh, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(3, 6);
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const Body body = random_body(n, random, true);
  std::normal_distribution<double> gauss;
  Hyperplane plane{n - 1, 0.3, {}};
  for (std::size_t i = 0; i < n; ++i) plane.normal.push_back(gauss(random));
  // The same by the formula: heights along the normal in place of the last axis; volumes are those of the body as it is.
  double length = 0;
  for (const double x : plane.normal) length += x * x;
  length = std::sqrt(length);
  double expected = 0;
  for (const Simplex& simplex : body.simplexes) {
    Body turned = body;
    for (std::size_t v = 0; v < body.size(); ++v) {
      double height = 0;
      for (std::size_t i = 0; i < n; ++i) height += plane.normal[i] * body.points[v * n + i];
      turned.points[v * n + n - 1] = height / length;
    }
    const double scale = signed_volume_of(turned, simplex);
    if (scale != 0) expected += meets(turned, simplex, plane.offset / length) / scale * signed_volume_of(body, simplex);
  }
  const Section section = section_of(body, plane);
  RC_ASSERT(is_closed(section));
  const double found = enclosed(section, n - 1);
  if (!(std::abs(found - expected) < 1e-3 * std::max(1.0, std::abs(expected)))) RC_FAIL(fmt::format("{} is not {}", found, expected));
}

}  // namespace
}  // namespace sinew::operations
