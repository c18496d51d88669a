// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/guard.hpp"
#include "unit/model/attributes.hpp"

#include "sinew/bake.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {
namespace {

using sinew::test::attribute;
using testing::ElementsAre;
using testing::FloatNear;
using testing::IsEmpty;
using testing::Pointwise;

/// The four axes of 4-space and one tetrahedron of them, which faces away from the origin's side; normals and a map by corner.
Model cell() {
  Model model;
  model.dimension = 4;
  Mesh& mesh = model.meshes.emplace_back();
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 4;
  block.attributes = {attribute(Semantic::position, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 4)};
  Surface& surface = mesh.surfaces.emplace_back();
  surface.indexed = true;
  surface.elements = Array::own(std::vector<std::uint8_t>{3, 2, 1, 0}, 4);
  surface.attributes = {attribute(Semantic::normal, {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0}, 4),
                        attribute(Semantic::texcoord, {0, 1, 2}, 1)};
  surface.attributes[1].index = Array::own(std::vector<std::uint8_t>{2, 2, 1, 0}, 1);
  model.nodes.emplace_back().mesh = 0;
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  return model;
}

/// What corner i of a surface has.
std::vector<float> at_corners(const Attribute& attribute) {
  const std::vector<float> values = attribute.values.read<float>();
  if (attribute.index.empty()) return values;
  std::vector<float> rows;
  const std::size_t width = attribute.values.width();
  for (const std::uint32_t row : attribute.index.read<std::uint32_t>())
    for (std::size_t column = 0; column < width; ++column) rows.push_back(values[row * width + column]);
  return rows;
}

const Attribute& of(const Surface& surface, Semantic semantic) { return *find_attribute(surface.attributes, semantic); }

Model baked(const Model& model) {
  auto result = bake(model, model.rest_pose);
  EXPECT_TRUE(result) << result.error().line();
  return result ? std::move(*result) : Model();
}

TEST(BakeCorners, MovesNormalsAndKeepsMaps) {
  Model model = cell();
  model.rest_pose.locals[0].basis = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1};  // x → y, y → −x, z doubled
  const Model result = baked(model);
  const Surface& surface = result.meshes.at(0).surfaces.at(0);
  EXPECT_THAT(of(surface, Semantic::normal).values.read<float>(), ElementsAre(0, 0, 0, 1, 0, 0, 1, 0, -1, 0, 0, 0, 0, 1, 0, 0));
  EXPECT_THAT(at_corners(of(surface, Semantic::texcoord)), ElementsAre(2, 2, 1, 0));
  EXPECT_THAT(surface.elements.read<std::uint32_t>(), ElementsAre(3, 2, 1, 0));
}

TEST(BakeCorners, OfAMirroredInstanceGoWithTheReversedSimplex) {
  Model model = cell();
  model.rest_pose.locals[0].basis = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const Model result = baked(model);
  const Surface& surface = result.meshes.at(0).surfaces.at(0);
  EXPECT_THAT(surface.elements.read<std::uint32_t>(), ElementsAre(3, 2, 0, 1));
  // Outward normals move by the inverse transpose: that of x turns around, the others stay.
  EXPECT_THAT(at_corners(of(surface, Semantic::normal)), ElementsAre(0, 0, 0, 1, 0, 0, 1, 0, -1, 0, 0, 0, 0, 1, 0, 0));
  EXPECT_THAT(at_corners(of(surface, Semantic::texcoord)), ElementsAre(2, 2, 0, 1));
}

TEST(BakeCorners, BlendsMapsAndNormalsByTheirAmounts) {
  Model model = cell();
  model.meshes[0].shapes.resize(1);
  model.rest_pose.amounts[0] = {0.5};
  std::vector<Attribute>& attributes = model.meshes[0].surfaces[0].attributes;
  const auto offsets = [](std::uint8_t row, std::vector<float> values, std::size_t width) {
    Offsets made{0, Array::own(std::vector<std::uint8_t>{row}, 1), Array::own(std::move(values), width)};
    made.sparse_ = true;
    return made;
  };
  attributes[0].offsets = {offsets(1, {2, 0, 0, 0}, 4)};
  attributes[1].offsets = {offsets(2, {4}, 1)};
  const Model result = baked(model);
  const Surface& surface = result.meshes[0].surfaces[0];
  const float c = std::sqrt(0.5F);
  EXPECT_THAT(at_corners(of(surface, Semantic::normal)),
              Pointwise(FloatNear(1e-6F), {0.0F, 0.0F, 0.0F, 1.0F, c, 0.0F, c, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F}));
  EXPECT_THAT(at_corners(of(surface, Semantic::texcoord)), ElementsAre(4, 4, 1, 0));
  EXPECT_THAT(of(surface, Semantic::normal).offsets, IsEmpty());
}

TEST(BakeCorners, SurfacesWithoutNormalsStayWithout) {
  Model model = cell();
  Mesh& mesh = model.meshes[0];
  mesh.surfaces.push_back(mesh.surfaces[0]);
  mesh.surfaces[1].attributes.clear();
  mesh.surfaces[0].attributes[0].values =
      Array::own(std::vector<float>(16), 4);  // no direction: that of the cell, (1, 1, 1, 1) or its opposite
  const Model result = baked(model);
  EXPECT_THAT(result.meshes[0].surfaces[1].attributes, IsEmpty());
  for (const float value : of(result.meshes[0].surfaces[0], Semantic::normal).values.read<float>()) EXPECT_FLOAT_EQ(std::abs(value), 0.5F);
}

TEST(BakeCorners, TheInstanceChoosesMaterials) {
  Model model = cell();
  model.materials.resize(3);
  Mesh& mesh = model.meshes[0];
  mesh.surfaces.push_back(mesh.surfaces[0]);
  mesh.surfaces[0].material = mesh.surfaces[1].material = 0;
  model.nodes[0].materials = {none, 2};
  const auto materials = [&] {
    const Model result = baked(model);
    return std::array{result.meshes[0].surfaces[0].material, result.meshes[0].surfaces[1].material};
  };
  EXPECT_THAT(materials(), ElementsAre(0, 2));
  model.nodes[0].materials = {1};
  EXPECT_THAT(materials(), ElementsAre(1, 1));
}

/// A square of the plane z = 0 as one face of four edges, with a normal and a number at each corner.
Model square() {
  Model model;
  Mesh& mesh = model.meshes.emplace_back();
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 4;
  block.attributes = {attribute(Semantic::position, {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, 3)};
  Surface& surface = mesh.surfaces.emplace_back();
  surface.primitive = Primitive::lines;
  surface.indexed = true;
  surface.edges = surface.elements = Array::own(std::vector<std::uint8_t>{0, 1, 1, 2, 2, 3, 3, 0}, 2);
  Topology& topology = surface.topology.emplace();
  topology.tiers = {Array::own(std::vector<std::uint8_t>{4, 0, 1, 2, 3}, 1)};
  topology.instances = Array::own(std::vector<std::uint8_t>{0, 1, 2, 3}, 1);
  topology.attributes = {attribute(Semantic::normal, {0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0}, 3),
                         attribute(Semantic::texcoord, {0, 1, 2, 3}, 1)};
  model.nodes.emplace_back().mesh = 0;
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  return model;
}

TEST(BakeCorners, TurnsTheFacesOfAMirroredTopologyAround) {
  Model model = square();
  ASSERT_THAT(topology_corners(model.meshes[0].surfaces[0], 3, 100)->indices, ElementsAre(0, 1, 2, 3));
  model.rest_pose.locals[0].scale = {-1, 1, 1};
  const Model result = baked(model);
  const Surface& surface = result.meshes[0].surfaces[0];
  const Topology& topology = *surface.topology;
  const auto corners = topology_corners(surface, 3, 100);
  ASSERT_TRUE(corners);
  EXPECT_THAT(topology.tiers[0].read<std::uint32_t>(), ElementsAre(4, 1, 0, 3, 2));
  EXPECT_THAT(corners->indices, ElementsAre(2, 1, 0, 3));
  EXPECT_EQ(topology.instances.read<std::uint32_t>(), corners->indices);
  EXPECT_THAT(at_corners(topology.attributes[1]), ElementsAre(2, 1, 0, 3));
  EXPECT_THAT(at_corners(topology.attributes[0]), ElementsAre(0, 0, 1, 0, 0, 1, 0, 0, 1, -1, 0, 0));  // still up, the last one outwards
  const auto facing = orientation_simplexes(need(polytopes_of(surface)), 0, 100);
  ASSERT_TRUE(facing);
  const std::vector<float> positions = result.meshes[0].blocks[0].attributes[0].values.read<float>();
  std::array<double, 3> normal{};
  simplex_normal(strided_view<const float>(positions.data(), 4, 3), (*facing)[0], normal);
  EXPECT_GT(normal[2], 0);
}

}  // namespace
}  // namespace sinew::operations
