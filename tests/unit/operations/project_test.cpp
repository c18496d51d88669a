// SPDX-License-Identifier: MIT
#include "sinew/project.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/guard.hpp"
#include "unit/math/shapes.hpp"
#include "unit/operations/bodies.hpp"

namespace sinew::operations {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

std::vector<Edge> edges_of(const test::Body& body) {
  return need(shape_edges({body.points.data(), body.size(), body.n}, surface_of(body)));
}

Model model_of(std::size_t n, std::vector<float> positions, std::vector<std::uint32_t> simplexes) {
  Model model;
  model.dimension = n;
  Mesh& mesh = model.meshes.emplace_back();
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = positions.size() / n;
  block.attributes = {{Semantic::position, 0, {}, Array::own(std::move(positions), n), {}, {}}};
  Surface& surface = mesh.surfaces.emplace_back();
  surface.indexed = true;
  surface.elements = Array::own(std::move(simplexes), 1);
  model.nodes.emplace_back().mesh = 0;
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  return model;
}
Model model_of(const test::Body& body) { return model_of(body.n, body.positions(), surface_of(body)); }

const Attribute& of_vertices(const Model& model, Semantic semantic) {
  return *find_attribute(model.meshes.at(0).blocks.at(0).attributes, semantic);
}

TEST(ShapeEdges, AreThoseOfTheCells) {
  EXPECT_EQ(edges_of(test::box(3)).size(), 12u);
  EXPECT_EQ(edges_of(test::box(4)).size(), 32u);
  EXPECT_EQ(edges_of(test::box(5)).size(), 80u);
  EXPECT_EQ(edges_of(test::corner_simplex(4)).size(), 10u);
  EXPECT_EQ(edges_of(product(test::polygon(6), test::polygon(8))).size(), 96u);  // 6·8 corners of four edges each
  test::Shape cell = test::cell24();
  turn_outward(cell);
  EXPECT_EQ(need(shape_edges(cell.positions(), triangulate(cell.polytopes, 1, cell.positions(), 1 << 20)->simplexes)).size(), 96u);
}

TEST(ShapeEdges, OfAnOpenMeshAreItsBorders) {
  // A square of two triangles, and a cube that fills a part of w = 0: the diagonals are no edges.
  const std::vector<double> square{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  EXPECT_THAT(need(shape_edges({square.data(), 4, 3}, std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3})),
              ElementsAre(Edge{0, 1}, Edge{0, 3}, Edge{1, 2}, Edge{2, 3}));
  const test::Body cube = test::box(3);
  std::vector<double> points;
  for (std::size_t v = 0; v < cube.size(); ++v)
    points.insert(points.end(), {cube.points[v * 3], cube.points[v * 3 + 1], cube.points[v * 3 + 2], 0});
  std::vector<std::uint32_t> cells;
  for (const test::Simplex& simplex : cube.simplexes) cells.insert(cells.end(), simplex.begin(), simplex.end());
  EXPECT_EQ(need(shape_edges({points.data(), cube.size(), 4}, cells)).size(), 12u);
}

TEST(ShapeEdges, OfNothingAndOfWhatHasNoExtentAreNone) {
  EXPECT_THAT(need(shape_edges({}, {})), testing::IsEmpty());
  const std::vector<double> line{0, 0, 0, 1, 0, 0, 2, 0, 0};
  EXPECT_THAT(need(shape_edges({line.data(), 3, 3}, std::vector<std::uint32_t>{0, 1, 2, 1, 1, 1})), testing::IsEmpty());
}

TEST(ShapeEdges, AreSharedOutToSurfaces) {
  Model model = model_of(test::box(4));
  Surface& first = model.meshes[0].surfaces[0];
  std::vector<std::uint32_t> simplexes = first.elements.read<std::uint32_t>();
  const auto half = simplexes.begin() + static_cast<std::ptrdiff_t>(simplexes.size() / 8 * 4);
  Surface second = first;
  second.elements = Array::own(std::vector<std::uint32_t>(half, simplexes.end()), 1);
  simplexes.erase(half, simplexes.end());
  first.elements = Array::own(std::move(simplexes), 1);
  model.meshes[0].surfaces.push_back(second);
  const auto edged = with_shape_edges(model);
  ASSERT_TRUE(edged);
  std::set<std::vector<std::uint32_t>> edges;
  for (const Surface& surface : edged->meshes[0].surfaces)
    for (std::size_t e = 0; e < surface.edges.size(); ++e) {
      std::vector<std::uint32_t> ends(2);
      surface.edges.read(e, 1, ends.data());
      edges.insert(ends);
    }
  EXPECT_EQ(edges.size(), 32u);
}

TEST(Project, ShowsATesseractAsACubeInACube) {
  const auto seen = project(model_of(test::box(4)), {});
  ASSERT_TRUE(seen) << seen.error().line();
  EXPECT_EQ(seen->dimension, 3u);
  const Surface& surface = seen->meshes.at(0).surfaces.at(0);
  EXPECT_EQ(surface.primitive, Primitive::lines);
  EXPECT_EQ(surface.elements.size(), 64u);
  // The radius is 2, the eye at 6: what lies at w = ±1 is 6 / (6 ∓ 1) as large.
  const std::vector<float> positions = of_vertices(*seen, Semantic::position).values.read<float>();
  EXPECT_THAT(std::vector(positions.begin(), positions.begin() + 6),
              Pointwise(FloatNear(1e-6F), {-6 / 7.0F, -6 / 7.0F, -6 / 7.0F, -1.2F, -1.2F, -1.2F}));
  const std::vector<float> colors = of_vertices(*seen, Semantic::color).values.read<float>();
  EXPECT_LT(colors[0], colors[2]);  // below: cool
  EXPECT_GT(colors[3], colors[5]);  // above: warm
}

TEST(Project, OrthographicLeavesHiddenAxesOut) {
  Projection projection;
  projection.kind = ProjectionKind::orthographic;
  const test::Body body = product(test::segment(2, 5), test::corner_simplex(4));
  const auto seen = project(model_of(body), projection);
  ASSERT_TRUE(seen);
  const std::vector<float> positions = of_vertices(*seen, Semantic::position).values.read<float>();
  for (std::size_t v = 0; v < body.size(); ++v)
    for (std::size_t i = 0; i < 3; ++i) EXPECT_FLOAT_EQ(positions[v * 3 + i], static_cast<float>(body.points[v * 5 + i]));
}

TEST(Project, TurnsTheSpaceFirst) {
  Projection projection;
  projection.kind = ProjectionKind::orthographic;
  const double quarter[] = {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 0};  // x → w → −x
  projection.view = Affine(4, quarter);
  projection.center = {0, 0, 0, 0};
  projection.radius = 4;
  const std::vector<float> point{1, 2, 3, 4};
  std::vector<float> out(3), hidden(1);
  Projector(4, projection).run({point.data(), 1, 4}, {out.data(), 1, 3}, {hidden.data(), 1, 1});
  EXPECT_THAT(out, ElementsAre(-4, 2, 3));
  EXPECT_THAT(hidden, ElementsAre(0.25F));
}

TEST(Project, KeepsWhatIsBehindAnEyeFinite) {
  Projection projection;
  projection.center = {0, 0, 0, 0, 0};
  projection.radius = 1;
  const std::vector<float> point{1, 0, 0, 3, 1e30F};
  std::vector<float> out(3);
  Projector(5, projection).run({point.data(), 1, 5}, {out.data(), 1, 3});
  EXPECT_FLOAT_EQ(out[0], 100);
}

TEST(Project, DrawsThePlaneFlat) {
  const auto seen = project(model_of(2, {0, 0, 1, 0, 0, 1}, {0, 1, 2}), {});
  ASSERT_TRUE(seen);
  EXPECT_THAT(of_vertices(*seen, Semantic::position).values.read<float>(), ElementsAre(0, 0, 0, 1, 0, 0, 0, 1, 0));
  EXPECT_EQ(seen->meshes[0].surfaces[0].primitive, Primitive::simplexes);
  const auto line = project(model_of(1, {3, 4}, {}), {});
  ASSERT_TRUE(line);
  EXPECT_THAT(of_vertices(*line, Semantic::position).values.read<float>(), ElementsAre(3, 0, 0, 4, 0, 0));
}

TEST(Project, RefusesWhatDoesNotFit) {
  Projection projection;
  projection.center = {0, 0, 0};
  EXPECT_EQ(project(model_of(test::box(4)), projection).error().failure, Failure::usage);
  projection = {};
  projection.distance = 0.5;
  EXPECT_EQ(project(model_of(test::box(4)), projection).error().failure, Failure::usage);
}

TEST(Project, IsTheSameInEveryPose) {
  Model model = model_of(test::box(4));
  Pose pose = model.rest_pose;
  pose.locals[0].scale = {1, 1, 1, 0};  // all flat: no edge would bend
  const auto seen = project(model, pose, {}, {});
  ASSERT_TRUE(seen) << seen.error().line();
  EXPECT_EQ(seen->meshes.at(0).surfaces.at(0).elements.size(), 64u);
}

}  // namespace
}  // namespace sinew::operations
