// SPDX-License-Identifier: MIT
#include "sinew/bake.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "base/guard.hpp"
#include "operations/bake/baker.hpp"
#include "unit/model/attributes.hpp"

namespace sinew::operations::bake_test {
namespace {

using sinew::test::attribute;
using testing::Each;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

using Vec3 = std::array<float, 3>;

Surface surface(Primitive primitive, std::vector<std::uint16_t> indices) {
  Surface made;
  made.primitive = primitive;
  made.indexed = true;
  made.elements = Array::own(std::move(indices), 1);
  return made;
}

/// One node, named "node", with one mesh of one block.
Model model_of(VertexBlock block, std::vector<Surface> surfaces) {
  Model model;
  Mesh& mesh = model.meshes.emplace_back();
  mesh.name = "mesh";
  mesh.blocks.push_back(std::move(block));
  mesh.surfaces = std::move(surfaces);
  Node& node = model.nodes.emplace_back();
  node.name = "node";
  node.mesh = 0;
  model.rest_pose.locals.emplace_back();
  model.rest_pose.amounts.emplace_back();
  return model;
}

/// The box [-1, 1]³: four vertices per face, with normals and tangents.
Model box() {
  std::vector<float> positions, normals, tangents;
  std::vector<std::uint16_t> indices;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0F, 1.0F}) {
      const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;  // e_u × e_v = e_axis
      const auto first = static_cast<std::uint16_t>(positions.size() / 3);
      for (const auto& [a, b] : {std::pair{-1.0F, -1.0F}, {1.0F, -1.0F}, {1.0F, 1.0F}, {-1.0F, 1.0F}}) {
        Vec3 position{}, normal{}, tangent{};
        position[axis] = normal[axis] = side;
        position[u] = a;
        position[v] = b;
        tangent[u] = 1;
        positions.insert(positions.end(), position.begin(), position.end());
        normals.insert(normals.end(), normal.begin(), normal.end());
        tangents.insert(tangents.end(), tangent.begin(), tangent.end());
        tangents.push_back(side);
      }
      for (const int corner : side > 0 ? std::array{0, 1, 2, 0, 2, 3} : std::array{0, 2, 1, 0, 3, 2})
        indices.push_back(static_cast<std::uint16_t>(first + corner));
    }
  }
  VertexBlock block;
  block.vertices = positions.size() / 3;
  block.attributes = {attribute(Semantic::position, positions, 3), attribute(Semantic::normal, normals, 3),
                      attribute(Semantic::tangent, tangents, 4)};
  return model_of(std::move(block), {surface(Primitive::simplexes, indices)});
}

/// The triangle (0,0,0), (1,0,0), (0,1,0).
VertexBlock triangle_block() {
  VertexBlock block;
  block.vertices = 3;
  block.attributes = {attribute(Semantic::position, {0, 0, 0, 1, 0, 0, 0, 1, 0}, 3)};
  return block;
}

Vec3 row(const Array& array, std::size_t r) {
  const float* values = array.view<float>()[r];
  return {values[0], values[1], values[2]};
}
Vec3 minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec3 cross(const Vec3& a, const Vec3& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
float dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

const Array& values(const Mesh& mesh, Semantic semantic) { return find_attribute(mesh.blocks.at(0).attributes, semantic)->values; }

/// Every triangle's winding normal and its corners' normals point away from `center`.
void expect_facing_out(const Mesh& mesh, const Vec3& center) {
  const Array& positions = values(mesh, Semantic::position);
  const Array& normals = values(mesh, Semantic::normal);
  const Elements triangles = need(elements_of(mesh, mesh.surfaces.at(0), 3));
  ASSERT_EQ(triangles.indices.size(), 36u);
  for (std::size_t i = 0; i < triangles.indices.size(); i += 3) {
    const Vec3 a = row(positions, triangles.indices[i]), b = row(positions, triangles.indices[i + 1]),
               c = row(positions, triangles.indices[i + 2]);
    const Vec3 winding = cross(minus(b, a), minus(c, a));
    EXPECT_GT(dot(winding, minus(a, center)), 0);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_GT(dot(winding, row(normals, triangles.indices[i + k])), 0);
  }
}

Model baked(const Model& model, const BakeOptions& options = {}) {
  auto result = bake(model, model.rest_pose, options);
  EXPECT_TRUE(result) << result.error().line();
  return result ? std::move(*result) : Model();
}

TEST(Bake, PutsEveryInstanceAtItsPlaceInTheWorld) {
  Model model = model_of(triangle_block(), {surface(Primitive::simplexes, {0, 1, 2})});
  model.rest_pose.locals[0].translation = {10, 20, 30};
  model.rest_pose.locals[0].scale = {2, 3, 4};
  const Model result = baked(model);
  ASSERT_EQ(result.meshes.size(), 1u);
  EXPECT_THAT(values(result.meshes[0], Semantic::position).read<float>(), ElementsAre(10, 20, 30, 12, 20, 30, 10, 23, 30));
  EXPECT_TRUE(values(result.meshes[0], Semantic::position).holds<float>());
}

TEST(Bake, RefusesAPoseThatIsNotOfTheModel) {
  const Model model = model_of(triangle_block(), {surface(Primitive::simplexes, {0, 1, 2})});
  Pose pose = model.rest_pose;
  pose.locals[0].basis = {1, 0, 0};
  const auto result = bake(model, pose);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().failure, Failure::usage);
  EXPECT_THAT(result.error().message, HasSubstr("node 0 \"node\": the basis has 3 numbers, expected 9"));
}

TEST(Bake, AppendsInstancesAsRootsAndLeavesThePosedNodesWithoutMeshes) {
  Model model = model_of(triangle_block(), {surface(Primitive::simplexes, {0, 1, 2})});
  model.nodes.push_back(model.nodes[0]);
  model.nodes[1].name.clear();
  model.rest_pose.locals.emplace_back().translation = {1, 1, 1};
  model.rest_pose.amounts.emplace_back();
  model.scenes.resize(2);
  model.scenes[1].roots = {0, 1};
  model.default_scene = 0;
  BakeOptions options;
  options.scene = 1;
  const Model result = baked(model, options);
  ASSERT_EQ(result.nodes.size(), 4u);
  EXPECT_EQ(result.nodes[0].mesh, none);
  EXPECT_EQ(result.nodes[1].mesh, none);
  EXPECT_EQ(result.nodes[2].name, "node");
  EXPECT_EQ(result.nodes[3].name, "mesh");
  EXPECT_EQ(result.nodes[3].mesh, 1u);
  EXPECT_EQ(result.rest_pose.locals[1], model.rest_pose.locals[1]);
  EXPECT_EQ(result.rest_pose.locals[3], LocalTransform());
  EXPECT_THAT(result.scenes[1].roots, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(result.default_scene, 1u);
}

TEST(Bake, MakesASceneOfAllRootsWhereTheFileHasNone) {
  const Model result = baked(model_of(triangle_block(), {surface(Primitive::simplexes, {0, 1, 2})}));
  ASSERT_EQ(result.scenes.size(), 1u);
  EXPECT_THAT(result.scenes[0].roots, ElementsAre(0, 1));
  EXPECT_EQ(result.default_scene, 0u);
}

TEST(Bake, KeepsTheWindingOfAnUnmirroredBox) {
  Model model = box();
  model.rest_pose.locals[0].scale = {1, 2, 3};
  model.rest_pose.locals[0].translation = {5, 0, 0};
  const Model result = baked(model);
  expect_facing_out(result.meshes[0], {5, 0, 0});
  EXPECT_EQ(result.meshes[0].surfaces[0].elements.data(), model.meshes[0].surfaces[0].elements.data());
}

TEST(Bake, MirroredBoxKeepsFacingOut) {
  for (const auto& scale : {std::array{-1.0, 2.0, 3.0}, {1.0, -2.0, 3.0}, {-1.0, -2.0, -3.0}}) {
    Model model = box();
    model.rest_pose.locals[0].scale = {scale[0], scale[1], scale[2]};
    model.rest_pose.locals[0].translation = {0, -7, 0};
    expect_facing_out(baked(model).meshes[0], {0, -7, 0});
  }
}

TEST(Bake, MirroredBoxMovesItsBitangentsWithTheSurface) {
  Model model = box();
  model.rest_pose.locals[0].scale = {-1, 1, 1};
  const Model result = baked(model);
  const auto bitangent = [](const Mesh& mesh, std::size_t v) {
    const Vec3 across = cross(row(values(mesh, Semantic::normal), v), row(values(mesh, Semantic::tangent), v));
    const float w = values(mesh, Semantic::tangent).view<float>()[v][3];
    return Vec3{w * across[0], w * across[1], w * across[2]};
  };
  for (std::size_t v = 0; v < 24; ++v) {
    const Vec3 before = bitangent(model.meshes[0], v), after = bitangent(result.meshes[0], v);
    EXPECT_THAT(after, Pointwise(FloatNear(1e-6F), Vec3{-before[0], before[1], before[2]}));
  }
}

TEST(Bake, ExpandsMirroredStripsAndFansAndTakesNonIndexedOnes) {
  VertexBlock block = triangle_block();
  block.vertices = 4;
  block.attributes = {attribute(Semantic::position, {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, 3)};
  Surface plain;
  plain.primitive = Primitive::simplex_strip;
  Model model = model_of(block, {plain, surface(Primitive::simplex_fan, {0, 1, 3, 2}), surface(Primitive::line_strip, {0, 1, 2})});
  model.rest_pose.locals[0].scale = {1, 1, -1};
  const Mesh mesh = baked(model).meshes[0];
  EXPECT_EQ(mesh.surfaces[0].primitive, Primitive::simplexes);
  EXPECT_TRUE(mesh.surfaces[0].indexed);
  EXPECT_THAT(mesh.surfaces[0].elements.read<std::uint32_t>(), ElementsAre(0, 2, 1, 1, 2, 3));
  EXPECT_THAT(mesh.surfaces[1].elements.read<std::uint32_t>(), ElementsAre(1, 0, 3, 3, 0, 2));
  EXPECT_EQ(mesh.surfaces[2].primitive, Primitive::line_strip);
  EXPECT_THAT(mesh.surfaces[2].elements.read<std::uint32_t>(), ElementsAre(0, 1, 2));
}

TEST(Bake, KeepsTheWindingOfASkinnedInstanceUnderAMirroredNode) {
  Model model = model_of(triangle_block(), {surface(Primitive::simplexes, {0, 1, 2})});
  model.meshes[0].blocks[0].influences.sets.push_back(
      {Array::own(std::vector<std::uint8_t>(12), 4), Array::own(std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 4)});
  model.skins.emplace_back().slots = {1};
  model.nodes[0].skin = 0;
  model.nodes.emplace_back().name = "joint";
  model.rest_pose.locals[0].scale = {-1, 1, 1};
  model.rest_pose.locals.emplace_back().translation = {0, 0, 5};
  model.rest_pose.amounts.emplace_back();
  const Model result = baked(model);
  EXPECT_THAT(result.meshes[0].surfaces[0].elements.read<std::uint32_t>(), ElementsAre(0, 1, 2));
  EXPECT_THAT(values(result.meshes[0], Semantic::position).read<float>(), ElementsAre(0, 0, 5, 1, 0, 5, 0, 1, 5));
  EXPECT_TRUE(result.meshes[0].blocks[0].influences.empty());
  EXPECT_TRUE(result.skins.empty());
  EXPECT_EQ(result.nodes[0].skin, none);
}

TEST(Bake, SharesWhatDeformationLeavesAloneAndBlendsWhatAmountsMove) {
  VertexBlock block = triangle_block();
  Attribute texcoord{Semantic::texcoord, 0, {}, Array::own(std::vector<std::uint8_t>{0, 255, 255, 0, 0, 0}, 2, true), {}, {}};
  Attribute color = attribute(Semantic::color, {0, 0, 0, 0.5F, 0.5F, 0.5F, 1, 1, 1}, 3);
  color.offsets.push_back(
      {0, Array::own(std::vector<std::uint16_t>{1, 2}, 1), Array::own(std::vector<float>{0.5F, -0.5F, 0, 1, 0, -2}, 3), true});
  block.attributes.push_back(texcoord);
  block.attributes.push_back(color);
  Model model = model_of(block, {surface(Primitive::simplexes, {0, 1, 2})});
  model.meshes[0].shapes.emplace_back();

  const Model unmoved = baked(model);
  EXPECT_EQ(values(unmoved.meshes[0], Semantic::texcoord).data(), texcoord.values.data());
  EXPECT_TRUE(values(unmoved.meshes[0], Semantic::texcoord).normalized());
  EXPECT_EQ(values(unmoved.meshes[0], Semantic::color).data(), color.values.data());
  EXPECT_TRUE(unmoved.meshes[0].shapes.empty());

  model.rest_pose.amounts[0] = {0.5};
  EXPECT_THAT(values(baked(model).meshes[0], Semantic::color).read<float>(), ElementsAre(0, 0, 0, 0.75F, 0.25F, 0.5F, 1, 1, 0));
}

TEST(Bake, NormalsThatVanishBecomeTheCells) {
  VertexBlock block = triangle_block();
  block.attributes.push_back(attribute(Semantic::normal, {0, 0, 0, 1, 0, 0, 0, 0, 0}, 3));
  Model model = model_of(block, {surface(Primitive::simplexes, {0, 1, 2})});
  EXPECT_THAT(values(baked(model).meshes[0], Semantic::normal).read<float>(), ElementsAre(0, 0, 1, 1, 0, 0, 0, 0, 1));
  model.meshes[0].surfaces[0].primitive = Primitive::points;
  EXPECT_THAT(values(baked(model).meshes[0], Semantic::normal).read<float>(), ElementsAre(0, 0, 1, 1, 0, 0, 0, 0, 1));
}

TEST(Bake, DropsTangentsWithoutNormals) {
  VertexBlock block = triangle_block();
  block.attributes.push_back(attribute(Semantic::tangent, {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}, 4));
  const Model result = baked(model_of(block, {surface(Primitive::simplexes, {0, 1, 2})}));
  EXPECT_EQ(find_attribute(result.meshes[0].blocks[0].attributes, Semantic::tangent), nullptr);
}

TEST(Bake, TangentsThatVanishStandAcrossTheNormal) {
  VertexBlock block = triangle_block();
  block.attributes.push_back(attribute(Semantic::normal, {0, 0, 1, 0, 0, 1, 0, 0, 1}, 3));
  block.attributes.push_back(attribute(Semantic::tangent, {0, 0, 0, -1, 1, 0, 0, 1, 0, 0, 0, 0}, 4));
  const Model result = baked(model_of(block, {surface(Primitive::simplexes, {0, 1, 2})}));
  EXPECT_THAT(values(result.meshes[0], Semantic::tangent).read<float>(), ElementsAre(0, 1, 0, -1, 1, 0, 0, 1, 0, 1, 0, 1));
}

TEST(Bake, KeepsHiddenInstances) {
  Model model = model_of(triangle_block(), {surface(Primitive::simplexes, {0, 1, 2})});
  model.nodes[0].visible = false;
  const Model result = baked(model);
  ASSERT_EQ(result.meshes.size(), 1u);
  EXPECT_FALSE(result.nodes[1].visible);
}

TEST(Bake, RefusesResultsThatOverflow) {
  Model model = model_of(triangle_block(), {surface(Primitive::simplexes, {0, 1, 2})});
  model.meshes[0].blocks[0].attributes[0].values = Array::own(std::vector<float>{0, 0, 0, 3e38F, 0, 0, 0, 1, 0}, 3);
  model.rest_pose.locals[0].scale = {2, 1, 1};
  const auto result = bake(model, model.rest_pose);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().failure, Failure::input);
  EXPECT_THAT(result.error().message, HasSubstr("vertex 1"));
}

TEST(Bake, RefusesASceneThatTheFileLacks) {
  const Model model = model_of(triangle_block(), {});
  BakeOptions options;
  options.scene = 3;
  const auto result = bake(model, model.rest_pose, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().failure, Failure::usage);
}

TEST(Bake, ABakerForgetsThePoseBefore) {
  const Model model = box();
  Baker baker = need(Baker::create(model, {}));
  Pose pose = model.rest_pose;
  for (const auto& scale : {std::array{1.0, 2.0, 3.0}, {-1.0, 2.0, 3.0}, {1.0, 1.0, 1.0}}) {
    pose.locals[0].scale = {scale[0], scale[1], scale[2]};
    const Model one = need(bake(model, pose)), another = need(baker.at(pose));
    for (const Semantic semantic : {Semantic::position, Semantic::normal, Semantic::tangent})
      EXPECT_EQ(values(one.meshes[0], semantic).read<float>(), values(another.meshes[0], semantic).read<float>());
    const auto triangles = [](const Model& made) { return need(elements_of(made.meshes[0], made.meshes[0].surfaces[0], 3)).indices; };
    EXPECT_EQ(triangles(one), triangles(another));
    EXPECT_EQ(need(baker.positions_at(pose)), values(one.meshes[0], Semantic::position).read<float>());
  }
}

TEST(Bake, AModelWithoutInstancesIsNoError) {
  Model model = model_of(triangle_block(), {});
  model.nodes[0].mesh = none;
  EXPECT_TRUE(baked(model).meshes.empty());
}

}  // namespace
}  // namespace sinew::operations::bake_test
