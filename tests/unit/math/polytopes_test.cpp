// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "base/guard.hpp"
#include "unit/math/shapes.hpp"

namespace sinew {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t enough = 1 << 24;
using Vertices = std::vector<std::uint32_t>;

Vertices list(std::span<const std::uint32_t> row) { return {row.begin(), row.end()}; }

TEST(UnpackTier, SplitsItemsByTheirCounts) {
  const auto tier = need(unpack_tier(Vertices{4, 0, 1, 2, 3, 0, 3, 4, 5, 2}));
  ASSERT_TRUE(tier);
  ASSERT_EQ(tier->size(), 3u);
  EXPECT_EQ(list((*tier)[0]), (Vertices{0, 1, 2, 3}));
  EXPECT_THAT(list((*tier)[1]), IsEmpty());
  EXPECT_EQ(list((*tier)[2]), (Vertices{4, 5, 2}));
}

TEST(UnpackTier, RefusesAnItemThatIsCutShort) {
  EXPECT_FALSE(need(unpack_tier(Vertices{3, 0, 1})));
  EXPECT_FALSE(need(unpack_tier(Vertices{1, 0, 0xFFFFFFFF})));
  EXPECT_EQ(need(unpack_tier({}))->size(), 0u);
}

/// One face of these edges.
Polytopes face_of(std::vector<Edge> edges) {
  Polytopes out{std::move(edges), {{}}};
  Vertices all;
  for (std::uint32_t i = 0; i < out.edges.size(); ++i) all.push_back(i);
  add_item(out.tiers.emplace_back(), all);
  out.tiers.erase(out.tiers.begin());
  return out;
}

TEST(FaceVertices, StartWithTheCornerThatTurnsHoweverEdgesAreStored) {
  // u = 0, shared = 1, w = 2, then 3; the first edge is stored from its shared end.
  for (const Edge& first : {Edge{0, 1}, Edge{1, 0}})
    for (const Edge& second : {Edge{1, 2}, Edge{2, 1}}) {
      const Polytopes quad = face_of({first, second, {3, 2}, {0, 3}});
      EXPECT_EQ(list((*item_vertices(quad, 0, enough))[0]), (Vertices{0, 1, 2, 3}));
      EXPECT_EQ(list((*orientation_simplexes(quad, 0, enough))[0]), (Vertices{0, 1, 2}));
    }
}

TEST(FaceVertices, ThatShareNothingAreWalkedAsTheyAre) {
  const Polytopes odd = face_of({{0, 1}, {2, 3}, {3, 0}});
  EXPECT_EQ(list((*item_vertices(odd, 0, enough))[0]), (Vertices{0, 1, 2, 3}));
  EXPECT_THAT(list((*orientation_simplexes(odd, 0, enough))[0]), IsEmpty());
  EXPECT_THAT(list((*orientation_simplexes(face_of({{0, 1}, {1, 0}}), 0, enough))[0]), IsEmpty());
}

TEST(FaceOrientation, IsThatOfTheFormatsExample) {
  Shape shape{3, {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, face_of({{0, 1}, {1, 2}, {2, 3}, {3, 0}})};
  std::vector<double> normal(3);
  simplex_normal(shape.positions(), (*orientation_simplexes(shape.polytopes, 0, enough))[0], normal);
  EXPECT_THAT(normal, ElementsAre(0, 0, 1));
  std::swap(shape.polytopes.tiers[0].indices[0], shape.polytopes.tiers[0].indices[1]);
  simplex_normal(shape.positions(), (*orientation_simplexes(shape.polytopes, 0, enough))[0], normal);
  EXPECT_THAT(normal, ElementsAre(0, 0, -1));
}

/// The unit cube in w = 0: vertices by (x, y, z) bits; first its bottom and right faces, as in the format's example of a volume.
Shape unit_cube_in_4d(const Edge& shared) {
  Shape shape{4, {}, {}};
  for (int v = 0; v < 8; ++v) {
    const double corner[] = {static_cast<double>(v & 1), static_cast<double>(v >> 1 & 1), static_cast<double>(v >> 2), 0};
    shape.points.insert(shape.points.end(), std::begin(corner), std::end(corner));
  }
  // 0–3: bottom loop 0 1 3 2, where edge 1 is (1,0,0)–(1,1,0); 4–7: top loop 4 5 7 6; 8–11: uprights.
  shape.polytopes.edges = {{0, 1}, shared, {3, 2}, {2, 0}, {4, 5}, {5, 7}, {7, 6}, {6, 4}, {0, 4}, {1, 5}, {3, 7}, {2, 6}};
  shape.polytopes.tiers.resize(2);
  IndexRows& faces = shape.polytopes.tiers[0];
  add_item(faces, {0, 1, 2, 3});    // bottom
  add_item(faces, {1, 10, 5, 9});   // right: (1,0,0)–(1,1,0), then (1,1,0)–(1,1,1)
  add_item(faces, {4, 5, 6, 7});    // top
  add_item(faces, {3, 11, 7, 8});   // left
  add_item(faces, {0, 9, 4, 8});    // front
  add_item(faces, {2, 11, 6, 10});  // back
  add_item(shape.polytopes.tiers[1], {0, 1, 2, 3, 4, 5});
  return shape;
}

TEST(VolumeOrientation, IsThatOfTheFormatsExample) {
  Shape shape = unit_cube_in_4d({1, 3});
  EXPECT_EQ(list((*orientation_simplexes(shape.polytopes, 1, enough))[0]), (Vertices{2, 1, 3, 7}));
  std::vector<double> normal(4);
  simplex_normal(shape.positions(), (*orientation_simplexes(shape.polytopes, 1, enough))[0], normal);
  EXPECT_THAT(normal, ElementsAre(0, 0, 0, 1));
}

TEST(VolumeOrientation, FlipsWithTheFirstTwoFacesAndWithTheSharedEdge) {
  Shape shape = unit_cube_in_4d({1, 3});
  std::swap(shape.polytopes.tiers[1].indices[0], shape.polytopes.tiers[1].indices[1]);
  std::vector<double> normal(4);
  simplex_normal(shape.positions(), (*orientation_simplexes(shape.polytopes, 1, enough))[0], normal);
  EXPECT_THAT(normal, ElementsAre(0, 0, 0, -1));
  const Shape turned = unit_cube_in_4d({3, 1});
  simplex_normal(turned.positions(), (*orientation_simplexes(turned.polytopes, 1, enough))[0], normal);
  EXPECT_THAT(normal, ElementsAre(0, 0, 0, -1));
}

TEST(VolumeVertices, ComeInTheOrderOfTheEdges) {
  EXPECT_EQ(list((*item_vertices(unit_cube_in_4d({1, 3}).polytopes, 1, enough))[0]), (Vertices{0, 1, 3, 2, 7, 5, 4, 6}));
  EXPECT_EQ(list((*item_vertices(unit_cube_in_4d({3, 1}).polytopes, 1, enough))[0]), (Vertices{0, 1, 3, 2, 7, 5, 4, 6}));
}

TEST(ItemVertices, AreRefusedBeyondTheLimit) {
  const auto walked = item_vertices(unit_cube_in_4d({1, 3}).polytopes, 1, 29);  // 6 faces and 24 edges
  ASSERT_FALSE(walked);
  EXPECT_EQ(walked.error().failure, Failure::limit);
  EXPECT_TRUE(item_vertices(unit_cube_in_4d({1, 3}).polytopes, 1, 30));
}

double volume(const Shape& shape, const Triangulation& cut) {
  double sum = 0;
  for (std::size_t first = 0; first < cut.simplexes.size(); first += cut.corners)
    sum += simplex_volume(shape.positions(), std::span(cut.simplexes).subspan(first, cut.corners));
  return sum;
}

TEST(Triangulate, CutsTheUnitCubeIntoSixTetrahedraOfOneCorner) {
  for (const Edge& shared : {Edge{1, 3}, Edge{3, 1}}) {
    const Shape shape = unit_cube_in_4d(shared);
    const auto cut = triangulate(shape.polytopes, 1, shape.positions(), enough);
    ASSERT_TRUE(cut);
    EXPECT_THAT(cut->first, ElementsAre(0, 6));
    EXPECT_THAT(cut->refused, IsEmpty());
    EXPECT_NEAR(volume(shape, *cut), 1, 1e-14);
    EXPECT_THAT(need(polytope_runs(4, cut->simplexes)), ElementsAre(0, 6));
    for (std::size_t s = 0; s < 6; ++s) {
      std::vector<double> normal(4);
      simplex_normal(shape.positions(), std::span(cut->simplexes).subspan(4 * s, 4), normal);
      EXPECT_THAT(normal, ElementsAre(0, 0, 0, shared[0] == 1 ? 1 : -1));
    }
  }
}

std::ptrdiff_t euler(const Shape& shape) {
  auto sum = static_cast<std::ptrdiff_t>(shape.points.size() / shape.n) - static_cast<std::ptrdiff_t>(shape.polytopes.edges.size());
  for (std::size_t t = 0; t < shape.polytopes.tiers.size(); ++t)
    sum += (t % 2 == 0 ? 1 : -1) * static_cast<std::ptrdiff_t>(shape.polytopes.tiers[t].size());
  return sum;
}

/// Cuts every boundary item, facing outwards; returns the enclosed volume by the divergence theorem.
double enclosed(Shape& shape, std::size_t simplexes_per_item) {
  const std::size_t boundary = boundary_tier(shape.n);
  EXPECT_GT(turn_outward(shape), 0u) << "the shape tests both directions";
  const auto cut = triangulate(shape.polytopes, boundary, shape.positions(), enough);
  EXPECT_TRUE(cut) << cut.error().line();
  EXPECT_THAT(cut->refused, IsEmpty());
  EXPECT_EQ(cut->simplexes.size() / cut->corners, simplexes_per_item * shape.polytopes.tiers[boundary].size());
  double sum = 0, factorial = 1;
  for (std::size_t k = 2; k <= shape.n; ++k) factorial *= static_cast<double>(k);
  for (std::size_t first = 0; first < cut->simplexes.size(); first += cut->corners) {
    const double part = outward(shape, std::span(cut->simplexes).subspan(first, cut->corners)) / factorial;
    EXPECT_GT(part, 0) << "simplex " << first / cut->corners;
    sum += part;
  }
  return sum;
}

TEST(Triangulate, TurnsTheCubeOutward) {
  Shape shape = cube(3);
  EXPECT_EQ(euler(shape), 2);
  EXPECT_NEAR(enclosed(shape, 2), 8, 1e-12);
}

TEST(Triangulate, TurnsTheTesseractOutward) {
  Shape shape = cube(4);
  EXPECT_EQ(shape.polytopes.edges.size(), 32u);
  EXPECT_EQ(shape.polytopes.tiers[0].size(), 24u);
  EXPECT_EQ(shape.polytopes.tiers[1].size(), 8u);
  EXPECT_EQ(euler(shape), 0);
  EXPECT_NEAR(enclosed(shape, 6), 16, 1e-12);
}

TEST(Triangulate, TurnsTheCubesOfFiveAndSixDimensionsOutward) {
  Shape five = cube(5), six = cube(6);
  EXPECT_EQ(euler(five), 2);
  EXPECT_NEAR(enclosed(five, 24), 32, 1e-11);
  EXPECT_EQ(euler(six), 0);
  EXPECT_NEAR(enclosed(six, 120), 64, 1e-11);
}

TEST(Triangulate, TurnsThe24CellOutward) {
  Shape shape = cell24();
  EXPECT_EQ(shape.points.size() / 4, 24u);
  EXPECT_EQ(shape.polytopes.edges.size(), 96u);
  EXPECT_EQ(shape.polytopes.tiers[0].size(), 96u);
  EXPECT_EQ(shape.polytopes.tiers[1].size(), 24u);
  EXPECT_EQ(euler(shape), 0);
  EXPECT_NEAR(enclosed(shape, 4), 8, 1e-12);
}

TEST(Triangulate, CutsSharedPartsAlike) {
  // A closed surface: every triangle of the cut tesseract is met twice.
  const Shape shape = cube(4);
  const auto cut = triangulate(shape.polytopes, 1, shape.positions(), enough);
  std::map<std::set<std::uint32_t>, int> triangles;
  for (std::size_t first = 0; first < cut->simplexes.size(); first += 4)
    for (std::size_t out = 0; out < 4; ++out) {
      std::set<std::uint32_t> triangle;
      for (std::size_t c = 0; c < 4; ++c)
        if (c != out) triangle.insert(cut->simplexes[first + c]);
      ++triangles[triangle];
    }
  for (const auto& [triangle, count] : triangles) EXPECT_EQ(count, 2);
}

TEST(Triangulate, FindsTheVertexThatSeesAStarShapedFace) {
  // An arrow head: only its notch (3) and its tip (1) see everything.
  Shape shape{2, {0, 0, 2, 4, 4, 0, 2, 1}, face_of({{0, 3}, {3, 2}, {2, 1}, {1, 0}})};
  const auto cut = triangulate(shape.polytopes, 0, shape.positions(), enough);
  ASSERT_TRUE(cut);
  EXPECT_THAT(cut->refused, IsEmpty());
  ASSERT_EQ(cut->simplexes.size(), 6u);
  EXPECT_EQ(cut->simplexes[0], 1u);
  EXPECT_NEAR(volume(shape, *cut), 6, 1e-14);
}

TEST(Triangulate, LeavesOutWhatNoVertexSeesOrWhatIsOpen) {
  // A U of seven units: its arms do not see each other. Then an open chain and a lid without a bottom.
  Shape u{2, {0, 0, 3, 0, 3, 3, 2, 3, 2, 1, 1, 1, 1, 3, 0, 3}, face_of({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 0}})};
  EXPECT_THAT(triangulate(u.polytopes, 0, u.positions(), enough)->refused, ElementsAre(0));
  Shape open{2, {0, 0, 1, 0, 0, 1}, face_of({{0, 1}, {1, 2}})};
  EXPECT_THAT(triangulate(open.polytopes, 0, open.positions(), enough)->refused, ElementsAre(0));
  Shape lid = unit_cube_in_4d({1, 3});
  lid.polytopes.tiers[1] = {};
  add_item(lid.polytopes.tiers[1], {0, 1, 2, 3, 4});
  EXPECT_THAT(triangulate(lid.polytopes, 1, lid.positions(), enough)->refused, ElementsAre(0));
  EXPECT_THAT(triangulate(lid.polytopes, 1, lid.positions(), enough)->simplexes, IsEmpty());
}

TEST(Triangulate, DropsSimplexesWithoutVolumeUnlessAllAre) {
  // A square with a vertex in the middle of a side: the triangle along that side is flat.
  Shape shape{2, {0, 0, 1, 0, 2, 0, 2, 2, 0, 2}, face_of({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}})};
  EXPECT_EQ(triangulate(shape.polytopes, 0, shape.positions(), enough)->simplexes.size(), 6u);
  std::fill(shape.points.begin(), shape.points.end(), 1.0);
  EXPECT_EQ(triangulate(shape.polytopes, 0, shape.positions(), enough)->simplexes.size(), 9u);
}

TEST(Triangulate, StopsAtTheLimit) {
  const Shape shape = cube(4);
  const auto cut = triangulate(shape.polytopes, 1, shape.positions(), 100);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().failure, Failure::limit);
}

/// The boundary of the simplex with n + 1 vertices, by its own simplexes: all but one vertex each, facing outward.
Shape simplex_boundary(std::size_t n, Vertices& simplexes) {
  Shape shape{n, std::vector<double>((n + 1) * n, -0.2), {}};
  for (std::size_t i = 0; i < n; ++i) shape.points[i * n + i] += 1;
  for (std::uint32_t out = 0; out <= n; ++out) {
    Vertices simplex;
    for (std::uint32_t v = 0; v <= n; ++v)
      if (v != out) simplex.push_back(v);
    if (outward(shape, simplex) < 0) std::swap(simplex[0], simplex[1]);
    simplexes.insert(simplexes.end(), simplex.begin(), simplex.end());
  }
  return shape;
}

TEST(PolytopesFromSimplexes, HaveEveryPartOnceAndFaceAsTheSimplexes) {
  for (std::size_t n = 3; n <= 7; ++n) {
    Vertices simplexes;
    Shape shape = simplex_boundary(n, simplexes);
    auto built = polytopes_from_simplexes(n, simplexes, {}, enough);
    ASSERT_TRUE(built);
    shape.polytopes = *std::move(built);
    ASSERT_EQ(shape.polytopes.tiers.size(), n - 2);
    EXPECT_EQ(shape.polytopes.edges.size(), (n + 1) * n / 2);
    EXPECT_EQ(shape.polytopes.tiers.back().size(), n + 1);
    EXPECT_EQ(euler(shape), n % 2 == 1 ? 2 : 0) << n;
    const IndexRows facing = *orientation_simplexes(shape.polytopes, n - 3, enough);
    for (std::size_t s = 0; s <= n; ++s) EXPECT_GT(outward(shape, facing[s]), 0) << n << ' ' << s;
    const auto cut = triangulate(shape.polytopes, n - 3, shape.positions(), enough);
    ASSERT_EQ(cut->simplexes.size(), simplexes.size());
    for (std::size_t s = 0; s <= n; ++s) EXPECT_GT(outward(shape, std::span(cut->simplexes).subspan(s * n, n)), 0) << n << ' ' << s;
  }
}

TEST(PolytopesFromSimplexes, KeepTheEdgesThatAreThere) {
  const auto built = polytopes_from_simplexes(3, Vertices{0, 1, 2}, {{7, 8}, {2, 1}}, enough);
  EXPECT_THAT(built->edges, ElementsAre(Edge{7, 8}, Edge{2, 1}, Edge{0, 1}, Edge{2, 0}));
  EXPECT_EQ(list(built->tiers[0][0]), (Vertices{2, 1, 3}));
}

TEST(PolytopesFromSimplexes, StopAtTheLimit) {
  Vertices one(16);
  for (std::uint32_t i = 0; i < 16; ++i) one[i] = i;
  EXPECT_EQ(polytopes_from_simplexes(16, one, {}, 1000).error().failure, Failure::limit);
}

}  // namespace
}  // namespace sinew
