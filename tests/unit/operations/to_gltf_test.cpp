// SPDX-License-Identifier: MIT
#include "operations/convert/to_gltf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/compare.hpp"

namespace sinew::operations {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Nodes: 0 root, 1 below it with a basis, 2 below that with the mesh: the unit points of the axes and the origin.
Model branch(SmallVector<double, 1> basis) {
  Model model;
  model.nodes.resize(3);
  model.rest_pose.locals.resize(3);
  model.rest_pose.amounts.resize(3);
  for (Index i = 0; i < 2; ++i) {
    model.nodes[i].children = {i + 1};
    model.nodes[i + 1].parent = i;
  }
  model.scenes.emplace_back().roots = {0};
  model.default_scene = 0;
  model.rest_pose.locals[1].basis = std::move(basis);
  model.rest_pose.locals[1].translation = {1, 2, 3};
  model.rest_pose.locals[2].translation = {0, 1, 0};
  model.nodes[2].mesh = 0;
  VertexBlock& block = model.meshes.emplace_back().blocks.emplace_back();
  block.vertices = 4;
  block.attributes = {{Semantic::position, 0, {}, Array::own(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, 3), {}, {}}};
  model.meshes[0].surfaces.emplace_back().primitive = Primitive::points;
  return model;
}

Track track(TrackPath path, std::vector<float> values, std::size_t width) {
  Track made;
  made.node = 1;
  made.path = path;
  made.times = Array::own(std::vector<float>{0, 1}, 1);
  made.values = Array::own(std::move(values), width);
  return made;
}

/// Clips that move node 1 in every way.
void animate(Model& model) {
  const float half = std::sqrt(0.5F);
  const Track position = track(TrackPath::translation, {0, 0, 0, 4, 5, 6}, 3),
              turn = track(TrackPath::rotation, {1, 0, 0, 0, half, half, 0, 0}, 4), scale = track(TrackPath::scale, {1, 1, 1, 2, 3, -4}, 3);
  for (const auto& tracks : {std::vector{position}, std::vector{turn}, std::vector{scale}, std::vector{position, turn, scale}}) {
    Clip& clip = model.clips.emplace_back();
    clip.tracks = tracks;
    clip.duration = 1;
  }
}

Model converted(const Model& model, FindingList& losses) {
  auto result = to_gltf(model, {}, losses);
  EXPECT_TRUE(result) << result.error().line();
  return result ? std::move(result->model) : Model();
}

void expect_same_motion(const Model& a, const Model& b) {
  const auto comparison = compare(a, b);
  ASSERT_TRUE(comparison) << comparison.error().line();
  EXPECT_TRUE(comparison->equal_within(1e-6)) << comparison->relative(comparison->max());
  EXPECT_THAT(comparison->instances, SizeIs(1));
}

using Bases = std::vector<SmallVector<double, 1>>;

TEST(ToGltf, NodesWithABasisMoveAsBefore) {
  const Bases orthogonal{
      {0, 2, 0, -3, 0, 0, 0, 0, 4}, {0, 2, 0, 3, 0, 0, 0, 0, 4}, {1, 0, 0, 0, 0, 0, 0, 0, 2}, {0, 0, 0, 0, 2, 0, 0, 0, 0}};
  for (const auto& basis : orthogonal) {
    Model model = branch(basis);
    FindingList losses;
    expect_same_motion(model, converted(model, losses));
    animate(model);
    const Model made = converted(model, losses);
    expect_same_motion(model, made);
    EXPECT_THAT(made.nodes, SizeIs(3));
    EXPECT_THAT(made.rest_pose.locals[1].basis, IsEmpty());  // an animated node of glTF has no matrix
    EXPECT_THAT(losses.list(), IsEmpty());
  }
}

TEST(ToGltf, ShearedNodesBecomeTwoThatMoveAsBefore) {
  for (const auto& basis : Bases{
           {1, 0, 0, 0.5, 1, 0, 0, 0.25, -2}, {1, 2, 3, 4, 5, 6, 7, 8, 10}, {1, 1, 0, 1, 1.001, 0, 0, 0, 1}, {1, 0, 0, 1, 0, 0, 0, 0, 1}}) {
    Model model = branch(basis);
    FindingList losses;
    expect_same_motion(model, converted(model, losses));
    animate(model);
    const Model made = converted(model, losses);
    expect_same_motion(model, made);
    ASSERT_THAT(made.nodes, SizeIs(4));
    EXPECT_EQ(made.nodes[1].parent, 3U);
    EXPECT_EQ(made.nodes[3].parent, 0U);
    EXPECT_THAT(made.nodes[0].children, testing::ElementsAre(3U));
    for (const LocalTransform& local : made.rest_pose.locals) EXPECT_THAT(local.basis, IsEmpty());
    ASSERT_THAT(losses.list(), SizeIs(2));
    EXPECT_THAT(losses.list()[0].message, HasSubstr("sheared"));
    EXPECT_EQ(losses.list()[0].severity, Severity::hint);
  }
}

TEST(ToGltf, ARotorOfAnotherLengthMovesAsBefore) {
  Model model = branch({});
  model.rest_pose.locals[1].rotor = {0.5, 0.75, 0.25, 0.5};
  model.rest_pose.locals[1].scale = {1, 2, 3};
  FindingList losses;
  const Model made = converted(model, losses);
  expect_same_motion(model, made);
  EXPECT_THAT(made.nodes, SizeIs(4));  // it shears
}

TEST(ToGltf, RefusesOtherDimensions) {
  Model model;
  model.dimension = 4;
  FindingList losses;
  const auto result = to_gltf(model, {}, losses);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().failure, Failure::unsupported);
}

}  // namespace
}  // namespace sinew::operations
