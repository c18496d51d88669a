// SPDX-License-Identifier: MIT
// The bent strip of the skins chapter in the glTF tutorial, deformed without a file: how a program with its own data uses the library.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/guard.hpp"

#include "sinew/deform.hpp"

namespace sinew::tutorial_test {
namespace {

constexpr std::size_t vertices = 10;

// Two columns of five vertices, from y = 0 to y = 2. The caller interleaves them with data that the library does not know.
struct Vertex {
  float position[3];
  float mine;
};
constexpr std::array<Vertex, vertices> strip{{{{-0.5f, 0, 0}, 7},
                                              {{0.5f, 0, 0}, 7},
                                              {{-0.5f, 0.5f, 0}, 7},
                                              {{0.5f, 0.5f, 0}, 7},
                                              {{-0.5f, 1, 0}, 7},
                                              {{0.5f, 1, 0}, 7},
                                              {{-0.5f, 1.5f, 0}, 7},
                                              {{0.5f, 1.5f, 0}, 7},
                                              {{-0.5f, 2, 0}, 7},
                                              {{0.5f, 2, 0}, 7}}};
constexpr std::array<float, vertices> weight_of_joint_1{0, 0, .25f, .25f, .5f, .5f, .75f, .75f, 1, 1};

Mesh bent_strip() {
  Mesh mesh;
  mesh.blocks.resize(1);
  VertexBlock& block = mesh.blocks[0];
  block.vertices = vertices;
  Attribute positions;
  positions.semantic = Semantic::position;
  // Borrowed: `strip` outlives the call of prepare, which packs the data.
  positions.values = Array::borrow(strip.data(), vertices, 3, sizeof(Vertex), ComponentType::float32, false, nullptr);
  block.attributes = {positions};
  std::vector<std::uint8_t> joints;
  std::vector<float> weights;
  for (const float weight : weight_of_joint_1) {
    joints.insert(joints.end(), {0, 1, 0, 0});
    weights.insert(weights.end(), {1 - weight, weight, 0, 0});
  }
  block.influences.sets = {{Array::own(std::move(joints), 4), Array::own(std::move(weights), 4)}};
  return mesh;
}

/// Node 0 has the mesh (far away, because a skinned mesh ignores its node), node 1 is joint 0, node 2 its child joint 1 at (0, 1, 0).
Model rig() {
  Model model;
  model.meshes = {bent_strip()};
  model.nodes.resize(3);
  model.nodes[0].mesh = 0;
  model.nodes[0].skin = 0;
  model.nodes[1].children = {2};
  model.nodes[2].parent = 1;
  model.rest_pose.locals.resize(3);
  model.rest_pose.amounts.resize(3);
  model.rest_pose.locals[0].translation = {100, 200, 300};
  model.rest_pose.locals[2].translation = {0, 1, 0};
  model.skins.resize(1);
  model.skins[0].slots = {1, 2};
  model.skins[0].bind = Skin::Bind::matrices;
  Affine lowered(3);
  lowered.translation(1) = -1;
  model.skins[0].joint_from_mesh = {Affine(3), lowered};
  return model;
}

std::array<std::array<float, 3>, vertices> deformed(const Model& model, const Pose& pose) {
  std::array<std::array<float, 3>, vertices> moved{};
  const Instance instance = need(instances(model)).at(0);
  deform::PrepareOptions options;
  options.slots = model.skins[instance.skin].slots.size();
  const auto prepared = deform::prepare(model.meshes[instance.mesh], model.dimension, options);
  EXPECT_TRUE(prepared.has_value());
  deform::Palette palette;
  EXPECT_TRUE(deform::palette(model, instance, need(world_transforms(model, pose)), {}, palette).has_value());
  deform::Output output;
  output.positions = {moved[0].data(), vertices, 3};
  deform::run(*prepared, palette, pose.amounts[instance.node], {0, vertices}, output);
  return moved;
}

void expect_vertex(const std::array<float, 3>& got, double x, double y) {
  EXPECT_NEAR(got[0], x, 1e-7);
  EXPECT_NEAR(got[1], y, 1e-7);
  EXPECT_EQ(got[2], 0);
}

TEST(Tutorial, ARightAngleAtTheSecondJointBendsTheStrip) {
  const Model model = rig();
  Pose pose = model.rest_pose;
  pose.locals[2].rotor = {std::sqrt(0.5), std::sqrt(0.5), 0, 0};  // 90° from x to y
  const auto moved = deformed(model, pose);
  expect_vertex(moved[0], -0.5, 0);      // joint 0 alone
  expect_vertex(moved[9], -1, 1.5);      // joint 1 alone: (x, y) → (1 − y, 1 + x)
  expect_vertex(moved[6], -0.5, 0.75);   // ¼·(−0.5, 1.5) + ¾·(−0.5, 0.5)
  expect_vertex(moved[4], -0.25, 0.75);  // ½·(−0.5, 1) + ½·(0, 0.5)
}

TEST(Tutorial, AtRestTheStripIsAsItWas) {
  const Model model = rig();
  const auto moved = deformed(model, model.rest_pose);
  for (std::size_t v = 0; v < vertices; ++v)
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(moved[v][i], strip[v].position[i]);
}

}  // namespace
}  // namespace sinew::tutorial_test
