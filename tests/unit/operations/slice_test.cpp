// SPDX-License-Identifier: MIT
// Slices of models; the sections themselves are tested in section_test.cpp.
#include "sinew/slice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/guard.hpp"
#include "unit/math/shapes.hpp"
#include "unit/model/attributes.hpp"
#include "unit/operations/bodies.hpp"

namespace sinew::operations::slice_test {
namespace {

using sinew::test::attribute;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Surface surface_with(std::vector<std::uint32_t> elements, Primitive primitive = Primitive::simplexes) {
  Surface surface;
  surface.primitive = primitive;
  surface.indexed = true;
  surface.elements = Array::own(std::move(elements), 1);
  return surface;
}

/// A node with the body's surface.
Model model_of(const test::Body& body) {
  Model model;
  model.dimension = body.n;
  Mesh& mesh = model.meshes.emplace_back();
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = body.size();
  block.attributes = {attribute(Semantic::position, body.positions(), body.n)};
  mesh.surfaces = {surface_with(surface_of(body))};
  Node& node = model.nodes.emplace_back();
  node.name = "Body";
  node.mesh = 0;
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  return model;
}

Model sliced(const Model& model, const Hyperplane& plane) {
  FindingList losses;
  auto result = slice(model, plane, losses);
  EXPECT_TRUE(result) << result.error().line();
  EXPECT_THAT(losses.list(), IsEmpty());
  return result ? std::move(*result) : Model();
}

std::vector<float> rows(const VertexBlock& block, Semantic semantic) {
  return find_attribute(block.attributes, semantic)->values.read<float>();
}

/// Returns the volume that all surfaces of all meshes of a model enclose, positive if they face outwards.
double enclosed(const Model& model) {
  const std::size_t n = model.dimension;
  double sum = 0, factorial = 1;
  for (std::size_t i = 2; i <= n; ++i) factorial *= static_cast<double>(i);
  std::vector<double> normal(n);
  for (const Mesh& mesh : model.meshes)
    for (const Surface& surface : mesh.surfaces) {
      const std::vector<float> positions = rows(mesh.blocks[surface.block], Semantic::position);
      const strided_view<const float> view(positions.data(), positions.size() / n, n);
      const Elements elements = need(elements_of(mesh, surface, n));
      if (elements.corners != n) continue;
      for (std::size_t i = 0; i < elements.indices.size(); i += n) {
        simplex_normal(view, std::span(elements.indices).subspan(i, n), normal);
        for (std::size_t x = 0; x < n; ++x) sum += normal[x] * double{view[elements.indices[i]][x]};
      }
    }
  return sum / factorial;
}

TEST(Slice, KeepsNamesMaterialsAndVisibility) {
  Model model = model_of(test::box(4));
  model.nodes[0].visible = false;
  model.meshes[0].name = "Mesh";
  model.meshes[0].surfaces[0].name = "Skin";
  model.meshes[0].surfaces[0].material = 0;
  model.materials.emplace_back().name = "Red";
  const Model cut = sliced(model, {3, 0.5, {}});
  EXPECT_EQ(cut.dimension, 3u);
  ASSERT_THAT(cut.nodes, SizeIs(1));
  EXPECT_EQ(cut.nodes[0].name, "Body");
  EXPECT_FALSE(cut.nodes[0].visible);
  EXPECT_EQ(cut.meshes.at(0).name, "Mesh");
  EXPECT_EQ(cut.meshes[0].surfaces.at(0).name, "Skin");
  EXPECT_EQ(cut.meshes[0].surfaces[0].material, 0u);
  EXPECT_EQ(cut.materials.at(0).name, "Red");
  EXPECT_THAT(need(instances(cut)), SizeIs(1));
}

TEST(Slice, OfSurfacesOverTheSameVerticesSharesThem) {
  Model model = model_of(test::box(4));
  std::vector<Surface>& surfaces = model.meshes[0].surfaces;
  const std::vector<std::uint32_t> all = surfaces[0].elements.read<std::uint32_t>();
  const auto half = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 8 * 4);
  surfaces = {surface_with({all.begin(), half}), surface_with({half, all.end()})};
  const Model cut = sliced(model, {3, 0.3, {}}), whole = sliced(model_of(test::box(4)), {3, 0.3, {}});
  ASSERT_THAT(cut.meshes.at(0).surfaces, SizeIs(2));
  EXPECT_THAT(cut.meshes[0].blocks, SizeIs(1));
  EXPECT_EQ(cut.meshes[0].blocks[0].vertices, whole.meshes[0].blocks[0].vertices);
  EXPECT_NEAR(enclosed(cut), 8, 1e-5);
}

TEST(Slice, OfLinesIsPointsOfTheirOwnAndPointsAreToldToBeLost) {
  Model model = model_of(test::box(4));
  std::vector<Surface>& surfaces = model.meshes[0].surfaces;
  surfaces.push_back(surface_with({0, 1, 0, 15}, Primitive::lines));
  surfaces.push_back(surface_with({0, 1}, Primitive::points));
  FindingList losses;
  const auto cut = slice(model, {3, 0, {}}, losses);
  ASSERT_TRUE(cut);
  ASSERT_THAT(cut->meshes.at(0).surfaces, SizeIs(2));
  const Surface& points = cut->meshes[0].surfaces[1];
  EXPECT_EQ(points.primitive, Primitive::points);
  const VertexBlock& own = cut->meshes[0].blocks.at(points.block);
  EXPECT_THAT(rows(own, Semantic::position), ElementsAre(-1, -1, -1, 0, 0, 0));  // 0–1 runs along w here, 0–15 across the middle
  ASSERT_THAT(losses.list(), SizeIs(1));
  EXPECT_EQ(losses.list()[0].code, "SINEW_EDIT_LOST");
}

TEST(Slice, InterpolatesWhatVerticesHave) {
  Model model = model_of(test::box(3));
  VertexBlock& block = model.meshes[0].blocks[0];
  std::vector<float> normals = rows(block, Semantic::position);  // of a sphere, outward
  for (float& x : normals) x /= std::sqrt(3.0F);
  std::vector<float> heights, colors;
  for (std::size_t v = 0; v < block.vertices; ++v) {
    heights.push_back(normals[v * 3 + 2] > 0 ? 10.0F : 0.0F);
    colors.insert(colors.end(), {heights.back() / 10, 0, 1});
  }
  block.attributes.push_back(attribute(Semantic::normal, normals, 3));
  block.attributes.push_back(attribute(Semantic::texcoord, heights, 1));
  block.attributes.push_back(attribute(Semantic::color, colors, 3));
  const Model cut = sliced(model, {2, 0.5, {}});
  const VertexBlock& sliced_block = cut.meshes.at(0).blocks.at(0);
  EXPECT_THAT(rows(sliced_block, Semantic::texcoord), Each(7.5F));
  EXPECT_FLOAT_EQ(rows(sliced_block, Semantic::color)[0], 0.75F);
  const std::vector<float> positions = rows(sliced_block, Semantic::position), turned = rows(sliced_block, Semantic::normal);
  ASSERT_EQ(positions.size(), turned.size());
  for (std::size_t v = 0; v < positions.size(); v += 2) {
    EXPECT_NEAR(std::hypot(turned[v], turned[v + 1]), 1, 1e-6);
    EXPECT_GT(turned[v] * positions[v] + turned[v + 1] * positions[v + 1], 0.9);
  }
}

TEST(Slice, NormalsThatVanishBecomeThoseOfThePieces) {
  Model model = model_of(test::box(4));
  Surface& surface = model.meshes[0].surfaces[0];
  std::vector<float> normals;
  for (std::size_t i = 0; i < surface.elements.size(); ++i) normals.insert(normals.end(), {0, 0, 0, 1});
  surface.attributes = {attribute(Semantic::normal, normals, 4)};
  const Model cut = sliced(model, {3, 0.25, {}});
  const Surface& pieces = cut.meshes.at(0).surfaces.at(0);
  const std::vector<float> mended = pieces.attributes.at(0).values.read<float>(),
                           positions = rows(cut.meshes[0].blocks[0], Semantic::position);
  const std::vector<std::uint32_t> corners = pieces.elements.read<std::uint32_t>();
  ASSERT_EQ(mended.size(), corners.size() * 3);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    double outward = 0;
    for (std::size_t x = 0; x < 3; ++x) outward += double{mended[i * 3 + x]} * double{positions[corners[i] * 3 + x]};
    EXPECT_NEAR(outward, 1, 1e-6);
  }
}

TEST(Slice, OfATopologyUsesItsCellsAndWhatTheirCornersHave) {
  test::Shape shape = test::cube(4);
  turn_outward(shape);
  Model model = model_of({4, shape.points, {}});
  Surface surface = surface_with({}, Primitive::lines);
  std::vector<std::uint32_t> ends;
  for (const Edge& edge : shape.polytopes.edges) ends.insert(ends.end(), edge.begin(), edge.end());
  surface.edges = Array::own(ends, 2);
  surface.elements = surface.edges;
  Topology& topology = surface.topology.emplace();
  for (std::size_t tier = 0; tier < 2; ++tier) {
    std::vector<std::uint32_t> stream;
    for (std::size_t item = 0; item < shape.polytopes.tiers[tier].size(); ++item) {
      const auto parts = shape.polytopes.tiers[tier][item];
      stream.push_back(static_cast<std::uint32_t>(parts.size()));
      stream.insert(stream.end(), parts.begin(), parts.end());
    }
    topology.tiers.push_back(Array::own(stream, 1));
  }
  const IndexRows corners = *item_vertices(shape.polytopes, 1, 1 << 20);
  topology.instances = Array::own(corners.indices, 1);
  std::vector<float> map;
  for (const std::uint32_t vertex : corners.indices) map.push_back(static_cast<float>(shape.points[vertex * 4]));
  topology.attributes = {attribute(Semantic::texcoord, map, 1)};
  model.meshes[0].surfaces = {surface};
  const Model cut = sliced(model, {3, 0.3, {}});
  EXPECT_NEAR(enclosed(cut), 8, 1e-5);
  const Surface& pieces = cut.meshes.at(0).surfaces.at(0);
  const std::vector<float> x = pieces.attributes.at(0).values.read<float>(), positions = rows(cut.meshes[0].blocks[0], Semantic::position);
  const std::vector<std::uint32_t> vertices = pieces.elements.read<std::uint32_t>();
  for (std::size_t i = 0; i < vertices.size(); ++i) EXPECT_FLOAT_EQ(x[i], positions[vertices[i] * 3]);
}

TEST(Slice, RefusesHyperplanesThatMakeNoSense) {
  FindingList losses;
  const Model model = model_of(test::box(4));
  for (const Hyperplane& plane : {Hyperplane{4, 0, {}}, Hyperplane{0, NAN, {}}, Hyperplane{0, 1e300, {}}, Hyperplane{0, 0, {1, 0, 0}},
                                  Hyperplane{0, 0, {0, 0, 0, 0}}, Hyperplane{0, 0, {1, 0, INFINITY, 0}}}) {
    const auto cut = slice(model, plane, losses);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().failure, Failure::usage) << cut.error().line();
  }
  Model line;
  line.dimension = 1;
  EXPECT_FALSE(slice(line, {0, 0, {}}, losses));
}

TEST(Slice, ThatMeetsNothingTellsTheReach) {
  FindingList losses;
  const auto cut = slice(model_of(test::box(4)), {3, 2, {0, 0, 0, 0.5}}, losses);
  ASSERT_TRUE(cut);
  EXPECT_THAT(cut->meshes, IsEmpty());
  ASSERT_THAT(losses.list(), SizeIs(1));
  EXPECT_THAT(losses.list()[0].message, testing::HasSubstr("from -1 to 1"));
}

/// The body, and a copy below a mirroring node beside it.
Model pair(const test::Body& body) {
  Model model = model_of(body);
  model.nodes.push_back(model.nodes[0]);
  model.rest_pose.locals.resize(2);
  model.rest_pose.amounts.resize(2);
  std::vector<double> basis(body.n * body.n);
  for (std::size_t i = 0; i < body.n; ++i) basis[i * (body.n + 1)] = i == 0 ? -2 : 1;
  model.rest_pose.locals[1].basis.assign(basis);
  std::vector<double> away(body.n);
  away[1] = 10;
  model.rest_pose.locals[1].translation.assign(away);
  return model;
}

TEST(Slice, OfAPosedModelByTwoHyperplanes) {
  FindingList losses;
  const Model model = pair(test::box(5));
  const Hyperplane planes[] = {{4, 0.25, {}}, {3, 0.5, {0.1, 0, 0, 1}}};
  const auto cut = slice(model, model.rest_pose, planes, {}, losses);
  ASSERT_TRUE(cut) << cut.error().line();
  EXPECT_THAT(cut->meshes, SizeIs(2));
  EXPECT_NEAR(enclosed(*cut), 24 * std::sqrt(1.01), 1e-4);  // cubes of side 2, the second one twice as wide, stretched by the slant
}

}  // namespace
}  // namespace sinew::operations::slice_test
