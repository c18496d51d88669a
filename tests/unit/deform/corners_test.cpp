// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "base/guard.hpp"
#include "unit/deform/allocations.hpp"
#include "unit/deform/rig.hpp"

#include "sinew/deform.hpp"
#include "sinew/geometry.hpp"

namespace sinew {
namespace {

using namespace test;
using deform::Palette;
using deform::Prepared;
using deform::PrepareOptions;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

using Floats = std::vector<float>;

Surface surface_of(std::vector<std::uint32_t> elements, Primitive primitive = Primitive::simplexes) {
  Surface surface;
  surface.primitive = primitive;
  surface.elements = Array::own(std::move(elements), 1);
  surface.indexed = true;
  return surface;
}

PrepareOptions with_normals(std::size_t slots) {
  PrepareOptions options;
  options.normals = true;
  options.slots = slots;
  return options;
}

Floats corner_normals(const Mesh& mesh, const std::vector<Affine>& maps, const std::vector<double>& amounts = {}) {
  const std::size_t n = maps.front().dimension();
  const Prepared packed = prepared(mesh, n, with_normals(maps.size() - 1));
  Floats out(packed.corners() * n, 99);
  deform::run_corner_normals(packed, palette_of(maps), amounts, {0, packed.corners()}, {out.data(), packed.corners(), n});
  return out;
}

testing::Matcher<Floats> near(const Floats& values) { return Pointwise(FloatNear(1e-6f), values); }

Offsets offsets_of(Index shape, std::vector<std::uint32_t> rows, Floats values, std::size_t width) {
  return {shape, Array::own(std::move(rows), 1), Array::own(std::move(values), width), true};
}

const Affine still3(3);

TEST(CornerNormals, GoThroughTheCofactorMatrix) {
  Mesh mesh = mesh_of({0, 0, 0, 1, 0, 0, 0, 1, 0});
  mesh.surfaces = {surface_of({0, 1, 2})};
  mesh.surfaces[0].attributes = {attribute(Semantic::normal, {0, 0, 2, 1, 1, 0, 0, 3, 4}, 3)};
  const Affine stretch = affine({2, 0, 0, 0, 1, 0, 0, 0, 1}, {5, 5, 5});
  const float a = 1 / std::sqrt(5.f);
  EXPECT_THAT(corner_normals(mesh, {stretch}), near({0, 0, 1, a, 2 * a, 0, 0, 0.6f, 0.8f}));
}

TEST(CornerNormals, FollowTheBlendedMapOfTheirVertex) {
  // Vertex 0 follows a quarter turn, vertex 1 nothing, vertex 2 both half: (cos 45°, sin 45°) once normalised.
  Mesh mesh = mesh_of({0, 0, 0, 1, 0, 0, 0, 1, 0});
  mesh.surfaces = {surface_of({2, 1, 0, 0, 1, 2})};
  Floats x;
  for (int corner = 0; corner < 6; ++corner) x.insert(x.end(), {1, 0, 0});
  mesh.surfaces[0].attributes = {attribute(Semantic::normal, x, 3)};
  mesh.blocks[0].influences.first = {0, 1, 1, 3};
  mesh.blocks[0].influences.slots = Array::own(std::vector<std::uint16_t>{0, 0, 1}, 1);
  mesh.blocks[0].influences.weights = Array::own(Floats{1, 0.5f, 0.5f}, 1);
  mesh.blocks[0].influences.divide_by_sum = true;
  const Affine turn = affine({0, -1, 0, 1, 0, 0, 0, 0, 1}, {0, 0, 0});
  const float h = std::sqrt(0.5f);
  EXPECT_THAT(corner_normals(mesh, {turn, still3, still3}), near({h, h, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, h, h, 0}));
}

TEST(CornerNormals, AreBlendedBeforeTheyAreSkinned) {
  Mesh mesh = mesh_of({0, 0, 0, 1, 0, 0, 0, 1, 0});
  mesh.shapes.resize(2);
  mesh.surfaces = {surface_of({0, 1, 2})};
  mesh.surfaces[0].attributes = {attribute(Semantic::normal, {0, 0, 1, 0, 0, 1, 0, 0, 1}, 3)};
  mesh.surfaces[0].attributes[0].offsets = {offsets_of(1, {2, 0}, {2, 0, -2, 0, 2, 0}, 3)};
  const Affine turn = affine({0, -1, 0, 1, 0, 0, 0, 0, 1}, {0, 0, 0});
  const float h = std::sqrt(0.5f);
  EXPECT_THAT(corner_normals(mesh, {turn}, {9, 0.5}), near({-h, 0, h, 0, 0, 1, 0, 1, 0}));
  EXPECT_THAT(corner_normals(mesh, {turn}, {9}), near({0, 0, 1, 0, 0, 1, 0, 0, 1}));
}

TEST(CornerNormals, MayShareValuesThroughAnIndex) {
  Mesh mesh = mesh_of({0, 0, 0, 1, 0, 0, 0, 1, 0});
  mesh.shapes.resize(2);
  mesh.surfaces = {surface_of({0, 1, 2, 2, 1, 0})};
  Attribute normals = attribute(Semantic::normal, {0, 0, 1, 0, 1, 0}, 3);
  normals.index = Array::own(std::vector<std::uint8_t>{0, 1, 0, 1, 1, 0}, 1);
  normals.offsets = {offsets_of(0, {1, 1}, {1, 0, 0, 1, -2, 0}, 3), {1, {}, Array::own(Floats{0, 0, -2, 0, 0, 0}, 3), false}};
  mesh.surfaces[0].attributes = {normals};
  EXPECT_THAT(corner_normals(mesh, {still3}), near({0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1}));
  const float a = 1 / std::sqrt(5.f);
  EXPECT_THAT(corner_normals(mesh, {still3}, {1, 1}), near({0, 0, -1, 2 * a, -a, 0, 0, 0, -1, 2 * a, -a, 0, 2 * a, -a, 0, 0, 0, -1}));
}

TEST(CornerNormals, AreFlatWhereASurfaceHasNone) {
  // The second surface is 4D's example, moved so that its vertex 1 goes to (1, 0, 0, 1): normal (−1, 0, 0, 1).
  Mesh mesh = mesh_of({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 4);
  mesh.shapes.resize(1);
  mesh.blocks[0].attributes[0].offsets = {offsets_of(0, {1}, {0, 0, 0, 1}, 4)};
  mesh.surfaces = {surface_of({0, 1, 2, 3}), surface_of({0, 1, 2, 3, 0, 2, 1, 3})};
  Floats y;
  for (int corner = 0; corner < 4; ++corner) y.insert(y.end(), {0, 1, 0, 0});
  mesh.surfaces[0].attributes = {attribute(Semantic::normal, y, 4)};
  Floats expected = y;
  const float h = std::sqrt(0.5f);
  for (int corner = 0; corner < 4; ++corner) expected.insert(expected.end(), {-h, 0, 0, h});
  for (int corner = 0; corner < 4; ++corner) expected.insert(expected.end(), {h, 0, 0, -h});
  EXPECT_THAT(corner_normals(mesh, {Affine(4)}, {1}), near(expected));
  mesh.surfaces.erase(mesh.surfaces.begin());
  EXPECT_THAT(corner_normals(mesh, {Affine(4)}, {1}), near(Floats(expected.begin() + 16, expected.end())));
  EXPECT_FALSE(prepared(mesh, 4, with_normals(0)).has_corner_normals());
}

TEST(CornerNormals, FlatOnesAreThoseOfTheMovedSimplexesMirroredToo) {
  Mesh mesh = mesh_of({0, 0, 0, 1, 0, 0, 0, 1, 0});
  mesh.surfaces = {surface_of({0, 1, 2})};
  const Affine mirror = affine({-1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0});
  const Floats flat = corner_normals(mesh, {mirror});
  EXPECT_THAT(flat, near({0, 0, -1, 0, 0, -1, 0, 0, -1}));
  mesh.surfaces[0].attributes = {attribute(Semantic::normal, {0, 0, 1, 0, 0, 1, 0, 0, 1}, 3)};
  EXPECT_THAT(corner_normals(mesh, {mirror}), near(flat)) << "as stored ones";
}

TEST(CornerNormals, OfOffsetsAloneAreAddedToTheFlatNormalBeforeSkinning) {
  Mesh mesh = mesh_of({0, 0, 0, 4, 0, 0, 0, 4, 0});
  mesh.shapes.resize(1);
  mesh.surfaces = {surface_of({0, 1, 2})};
  Attribute normals;
  normals.semantic = Semantic::normal;
  normals.offsets = {offsets_of(0, {1}, {1, 0, 0}, 3)};
  mesh.surfaces[0].attributes = {normals};
  const Affine turn = affine({0, -1, 0, 1, 0, 0, 0, 0, 1}, {0, 0, 0});
  const float h = std::sqrt(0.5f);
  EXPECT_THAT(corner_normals(mesh, {turn}, {1}), near({0, 0, 1, 0, h, h, 0, 0, 1}));
  EXPECT_TRUE(prepared(mesh, 3, with_normals(0)).has_corner_normals());
}

TEST(CornerNormals, AreZeroWhereNothingHasASide) {
  Mesh mesh = mesh_of({0, 0, 0, 1, 0, 0});
  Surface points;
  points.primitive = Primitive::points;
  mesh.surfaces = {surface_of({0, 1}, Primitive::lines), points, surface_of({0, 1, 1})};
  EXPECT_EQ(corner_normals(mesh, {still3}), Floats(7 * 3, 0));
  Mesh plane = mesh_of({0, 0, 1, 0, 0, 1}, 2);
  plane.surfaces = {surface_of({0, 1, 2})};
  EXPECT_EQ(corner_normals(plane, {Affine(2)}), Floats(6, 0));
}

TEST(CornerNormals, ThatVanishKeepTheStoredOneElseTheFlatOne) {
  Mesh mesh = mesh_of({0, 0, 0, 1, 0, 0, 0, 1, 0});
  mesh.surfaces = {surface_of({0, 1, 2})};
  mesh.surfaces[0].attributes = {attribute(Semantic::normal, {0, 0, 0, 0, 2, 0, 0, 0, 0}, 3)};
  EXPECT_THAT(corner_normals(mesh, {still3}), near({0, 0, 1, 0, 1, 0, 0, 0, 1}));
  const Affine flat = affine({1, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0});  // everything onto a line: all normals become 0
  EXPECT_THAT(corner_normals(mesh, {flat}), near({0, 0, 0, 0, 1, 0, 0, 0, 0}));
}

/// A mesh with random normals per vertex, and the same normals per corner, each corner on its own simplexes.
struct Twins {
  std::size_t n;
  Mesh by_vertex, by_corner;
  std::vector<Affine> maps;
  std::vector<std::uint32_t> elements;

  explicit Twins(std::size_t dimension) : n(dimension) {
    std::mt19937 engine(static_cast<unsigned>(n));
    const auto numbers = [&](std::size_t count) {
      Floats out(count);
      for (float& x : out) x = (static_cast<float>(engine() % 1025) - 512) / 256;
      return out;
    };
    constexpr std::size_t vertices = 40;
    const std::size_t corners = std::max<std::size_t>(n, 3);
    by_vertex = mesh_of(numbers(vertices * n), n);
    by_vertex.shapes.resize(2);
    Influences& rows = by_vertex.blocks[0].influences;
    std::vector<std::uint16_t> slots;
    rows.first = {0};
    rows.divide_by_sum = true;
    for (std::size_t v = 0; v < vertices; ++v) {
      for (std::size_t k = 0; k < v % 4; ++k) slots.push_back(static_cast<std::uint16_t>(engine() % 3));
      rows.first.push_back(static_cast<std::uint32_t>(slots.size()));
    }
    rows.weights = Array::own(Floats(slots.size(), 0.5f), 1);
    rows.slots = Array::own(std::move(slots), 1);
    by_corner = by_vertex;
    std::vector<std::uint32_t> order(vertices);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t simplex = 0; simplex < 30; ++simplex) {
      std::shuffle(order.begin(), order.end(), engine);
      elements.insert(elements.end(), order.begin(), order.begin() + static_cast<std::ptrdiff_t>(corners));
    }
    Attribute normals = attribute(Semantic::normal, numbers(vertices * n), n);
    normals.offsets = {{0, {}, Array::own(numbers(vertices * n), n), false}, offsets_of(1, {3, 17, 3}, numbers(3 * n), n)};
    by_vertex.blocks[0].attributes.push_back(normals);
    normals.index = Array::own(std::vector<std::uint32_t>(elements), 1);
    by_corner.surfaces = {surface_of(elements)};
    by_corner.surfaces[0].attributes = {normals};
    for (int m = 0; m < 4; ++m) {
      maps.emplace_back(n);
      for (std::size_t j = 0; j <= n; ++j)
        for (std::size_t i = 0; i < n; ++i) maps.back()(i, j) += 0.25 * static_cast<double>(numbers(1)[0]);
    }
  }
};

class CornersOfDimension : public testing::TestWithParam<std::size_t> {};

TEST_P(CornersOfDimension, MoveAsTheSameNormalsOfVerticesDo) {
  const Twins twins(GetParam());
  const std::size_t n = twins.n;
  const std::vector<double> amounts{0.5, -1};
  const Floats vertices = deformed(twins.by_vertex, twins.maps, amounts, with_normals(3)).normals;
  const Floats corners = corner_normals(twins.by_corner, twins.maps, amounts);
  ASSERT_EQ(corners.size(), twins.elements.size() * n);
  for (std::size_t c = 0; c < twins.elements.size(); ++c)
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(corners[c * n + i], vertices[twins.elements[c] * n + i], 1e-4) << c;
}

TEST_P(CornersOfDimension, FlatOnesArePerpendicularToTheMovedSimplexes) {
  Twins twins(GetParam());
  const std::size_t n = twins.n;
  if (n < 3) return;
  twins.by_corner.surfaces[0].attributes.clear();
  const Floats corners = corner_normals(twins.by_corner, twins.maps);
  const Floats moved = deformed(twins.by_corner, twins.maps).positions;
  Floats flat(twins.elements.size() / n * n);
  flat_normals<float>({moved.data(), moved.size() / n, n}, {twins.elements.data(), twins.elements.size() / n, n},
                      {flat.data(), twins.elements.size() / n, n});
  for (std::size_t c = 0; c < twins.elements.size(); ++c)
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(corners[c * n + i], flat[c / n * n + i], 2e-3) << c;
}

TEST_P(CornersOfDimension, DoNotDependOnHowTheyAreSplit) {
  const Twins twins(GetParam());
  const std::size_t n = twins.n;
  const Prepared packed = prepared(twins.by_corner, n, with_normals(3));
  const Palette palette = palette_of(twins.maps);
  const std::vector<double> amounts{0.5, -1};
  Floats split(packed.corners() * n);
  for (std::size_t first = 0; first < packed.corners(); first += 7) {
    const std::size_t last = std::min(packed.corners(), first + 7);
    deform::run_corner_normals(packed, palette, amounts, {first, last}, {split.data() + first * n, last - first, n});
  }
  EXPECT_EQ(split, corner_normals(twins.by_corner, twins.maps, amounts));
}

INSTANTIATE_TEST_SUITE_P(Dimensions, CornersOfDimension, testing::Values(1, 2, 3, 4, 5, 6, 8, 16));

TEST(Corners, AllocateNothingWhileTheyAreMoved) {
  const Twins twins(4);
  const Prepared packed = prepared(twins.by_corner, 4, with_normals(3));
  const Palette palette = palette_of(twins.maps);
  const std::vector<double> amounts{0.5, -1};
  Floats out(packed.corners() * 4);
  const std::size_t before = allocations();
  deform::run_corner_normals(packed, palette, amounts, {0, packed.corners()}, {out.data(), packed.corners(), 4});
  EXPECT_EQ(allocations(), before);
}

TEST(Corners, AreCountedWhetherNormalsAreAskedForOrNot) {
  Mesh mesh = mesh_of({0, 0, 0, 1, 0, 0, 0, 1, 0});
  Surface points;
  points.primitive = Primitive::points;
  mesh.surfaces = {surface_of({0, 1, 2, 2, 1, 0}), surface_of({0, 1}, Primitive::lines), points};
  EXPECT_EQ(prepared(mesh, 3, {}).corners(), 11u);
  EXPECT_EQ(prepared(mesh, 3, with_normals(0)).corners(), 11u);
  mesh.surfaces[1].attributes = {attribute(Semantic::normal, {0, 0, 1, 0, 0, 1}, 3)};
  EXPECT_TRUE(prepared(mesh, 3, with_normals(0)).has_corner_normals());
  EXPECT_FALSE(prepared(mesh, 3, {}).has_corner_normals());
}

TEST(Corners, AreRefusedWhereTheyAreNotFinite) {
  Mesh mesh = mesh_of({0, 0, 0, 1, 0, 0, 0, 1, 0});
  mesh.name = "Body";
  mesh.surfaces = {surface_of({0, 1, 2}), surface_of({0, 1, 2})};
  mesh.surfaces[1].attributes = {attribute(Semantic::normal, {0, 0, 1, 0, NAN, 1, 0, 0, 1}, 3)};
  const auto refused = deform::prepare(mesh, 3, with_normals(0));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("normal of corner 1 of surface 1 of mesh \"Body\""));
}

/// Two adjacent squares, drawn by their edges, with a topology of two faces; the second face faces down.
Mesh strip() {
  Mesh mesh = mesh_of({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0});
  Surface surface = surface_of({0, 1, 1, 2, 2, 3, 3, 0, 1, 4, 4, 5, 5, 2}, Primitive::lines);
  surface.edges = Array::own(std::vector<std::uint32_t>{0, 1, 1, 2, 2, 3, 3, 0, 1, 4, 4, 5, 5, 2}, 2);
  surface.topology.emplace();
  surface.topology->tiers = {Array::own(std::vector<std::uint8_t>{4, 0, 1, 2, 3, 4, 1, 6, 5, 4}, 1)};
  mesh.surfaces = {surface};
  return mesh;
}

Floats topology_normals(const Mesh& mesh, const Affine& map) {
  const Prepared packed = prepared(mesh, 3, with_normals(0));
  EXPECT_EQ(packed.topology_corners(), 8u);
  Floats out(24);
  deform::run_topology_normals(packed, palette_of({map}), {}, {0, 8}, {out.data(), 8, 3});
  return out;
}

TEST(TopologyNormals, AreFlatOfTheirItemsOrStored) {
  Mesh mesh = strip();
  const Affine shear = affine({1, 0, 0, 0, 1, 0, 1, 0, 1}, {0, 0, 0});  // z += x
  const float h = std::sqrt(0.5f);
  Floats expected;
  for (int corner = 0; corner < 8; ++corner) expected.insert(expected.end(), {corner < 4 ? -h : h, 0, corner < 4 ? h : -h});
  EXPECT_THAT(topology_normals(mesh, shear), near(expected));
  EXPECT_FALSE(prepared(mesh, 3, with_normals(0)).has_topology_normals());
  Floats up;
  for (int corner = 0; corner < 8; ++corner) up.insert(up.end(), {0, 0, 5});
  mesh.surfaces[0].topology->attributes = {attribute(Semantic::normal, up, 3)};
  for (int corner = 4; corner < 8; ++corner)
    for (std::size_t i = 0; i < 3; ++i) expected[static_cast<std::size_t>(corner) * 3 + i] *= -1;
  EXPECT_THAT(topology_normals(mesh, shear), near(expected));
  EXPECT_TRUE(prepared(mesh, 3, with_normals(0)).has_topology_normals());
}

TEST(SceneCorners, StandInstanceAfterInstance) {
  Model model;
  model.nodes.resize(3);
  model.nodes[0].mesh = model.nodes[2].mesh = 0;
  model.nodes[1].mesh = 1;
  model.rest_pose.locals.resize(3);
  model.rest_pose.amounts.resize(3);
  model.rest_pose.locals[2].basis = {0, 1, 0, 0, 0, 1, 1, 0, 0};  // x → y → z → x
  model.meshes = {mesh_of({0, 0, 0, 1, 0, 0, 0, 1, 0}), strip()};
  model.meshes[0].surfaces = {surface_of({0, 1, 2})};
  auto scene = deform::SceneDeformer::create(model, need(instances(model)), with_normals(0));
  ASSERT_TRUE(scene);
  EXPECT_EQ(scene->corners(), 3u + 14 + 3);
  EXPECT_EQ(scene->first_corner(1), 3u);
  EXPECT_EQ(scene->first_corner(2), 17u);
  EXPECT_EQ(scene->topology_corners(), 8u);
  EXPECT_EQ(scene->first_topology_corner(2), 8u);
  Floats out(60), faces(24);
  ASSERT_TRUE(scene->run_corner_normals(model.rest_pose, {out.data(), 20, 3}, 2));
  EXPECT_THAT(Floats(out.begin(), out.begin() + 3), near({0, 0, 1}));
  EXPECT_THAT(Floats(out.begin() + 9, out.begin() + 51), near(Floats(42, 0)));
  EXPECT_THAT(Floats(out.end() - 3, out.end()), near({1, 0, 0}));
  ASSERT_TRUE(scene->run_topology_normals(model.rest_pose, {faces.data(), 8, 3}, 1));
  EXPECT_THAT(Floats(faces.end() - 3, faces.end()), near({0, 0, -1}));
}

TEST(BlendRows, GiveEveryCornerItsRow) {
  Attribute map = attribute(Semantic::texcoord, {0, 0, 1, 0, 0, 1}, 2);
  map.offsets = {offsets_of(0, {2}, {4, 4}, 2)};
  EXPECT_THAT(need(deform::blend_rows(map, std::vector<double>{0.5}, 2)), ElementsAre(0, 0, 1, 0)) << "surplus rows are left out";
  map.index = Array::own(std::vector<std::uint16_t>{2, 0, 2, 1}, 1);
  EXPECT_THAT(need(deform::blend_rows(map, std::vector<double>{0.5}, 4)), ElementsAre(2, 3, 0, 0, 2, 3, 1, 0));
}

}  // namespace
}  // namespace sinew
