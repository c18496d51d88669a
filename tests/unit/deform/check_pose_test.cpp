// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "unit/deform/allocations.hpp"

#include "sinew/deform.hpp"
#include "sinew/geometry.hpp"

namespace sinew {
namespace {

/// One vertex with one blend shape on node "Body" below node "Root".
Model small_model(std::size_t dimension) {
  Model model;
  model.dimension = dimension;
  model.format = "glTF";
  model.nodes.resize(2);
  model.nodes[0].name = "Root";
  model.nodes[0].children = {1};
  model.nodes[1].name = "Body";
  model.nodes[1].parent = 0;
  model.nodes[1].mesh = 0;
  model.rest_pose.locals.resize(2);
  model.rest_pose.amounts = {{}, {0}};
  Mesh& mesh = model.meshes.emplace_back();
  mesh.shapes.resize(1);
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 1;
  Attribute& position = block.attributes.emplace_back();
  position.semantic = Semantic::position;
  position.values = Array::own(std::vector<float>(dimension, 1.0F), dimension);
  return model;
}

TEST(CheckPose, RefusesTransformsOfAnotherLength) {
  for (const std::size_t n : {2U, 3U, 4U, 5U}) {
    const Model model = small_model(n);
    auto deformer = deform::SceneDeformer::create(model, need(instances(model)), {});
    ASSERT_TRUE(deformer);
    std::vector<float> rows(n);
    const deform::Output out{strided_view<float>(rows.data(), 1, n), {}, {}};
    ASSERT_TRUE(deformer->run(model.rest_pose, out, 1));
    const std::vector<std::pair<std::string, std::function<void(LocalTransform&, std::size_t)>>> parts = {
        {"translation", [](LocalTransform& local, std::size_t count) { local.translation.assign(count, 1); }},
        {"scale", [](LocalTransform& local, std::size_t count) { local.scale.assign(count, 1); }},
        {"basis", [](LocalTransform& local, std::size_t count) { local.basis.assign(count, 1); }},
        {"rotor", [](LocalTransform& local, std::size_t count) { local.rotor.assign(count, 1); }}};
    for (const auto& [name, set] : parts)
      for (const std::size_t count : {std::size_t{1}, n - 1, n + 1, n * n - 1, n * n + 1, std::size_t{3}}) {
        const bool fits = name == "basis" ? count == n * n : name == "rotor" ? is_rotor_length(n, count) : count == n;
        Pose pose = model.rest_pose;
        set(pose.locals[1], count);
        const Result<> done = deformer->run(pose, out, 1);
        ASSERT_EQ(done.has_value(), fits) << n << " " << name << " " << count;
        if (fits) continue;
        EXPECT_EQ(done.error().failure, Failure::usage);
        EXPECT_NE(done.error().message.find("node 1 \"Body\""), std::string::npos) << done.error().message;
        EXPECT_NE(done.error().message.find(name), std::string::npos) << done.error().message;
        EXPECT_FALSE(deformer->run_poses({&pose, 1}, out, 1));
        Model stored = small_model(n);
        stored.rest_pose = pose;
        EXPECT_FALSE(deform::SceneDeformer::create(stored, need(instances(stored)), {}));
      }
  }
}

TEST(CheckPose, RefusesPosesOfOtherModels) {
  const Model model = small_model(3);
  auto deformer = deform::SceneDeformer::create(model, need(instances(model)), {});
  ASSERT_TRUE(deformer);
  std::vector<float> rows(3);
  const deform::Output out{strided_view<float>(rows.data(), 1, 3), {}, {}};
  Pose few = model.rest_pose, many = model.rest_pose, lists = model.rest_pose;
  few.locals.pop_back();
  many.amounts[1] = {0, 0};
  lists.amounts.pop_back();
  for (const Pose& pose : {few, many, lists, Pose()}) {
    const Result<> done = deformer->run(pose, out, 1);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().failure, Failure::usage);
  }
}

TEST(SceneDeformer, AFrameOnOneThreadAllocatesNothing) {
  for (const std::size_t n : {2U, 3U}) {
    const Model model = small_model(n);
    auto deformer = deform::SceneDeformer::create(model, need(instances(model)), {});
    ASSERT_TRUE(deformer);
    std::vector<float> rows(n);
    const deform::Output out{strided_view<float>(rows.data(), 1, n), {}, {}};
    ASSERT_TRUE(deformer->run(model.rest_pose, out, 1));
    const std::size_t before = test::allocations();
    const bool done = deformer->run(model.rest_pose, out, 1).has_value();
    EXPECT_EQ(test::allocations(), before) << n;
    EXPECT_TRUE(done);
  }
}

}  // namespace
}  // namespace sinew
