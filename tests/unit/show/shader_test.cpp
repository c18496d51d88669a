// SPDX-License-Identifier: MIT
// The vertex shader and the library deform vertices to the same positions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/guard.hpp"
#include "show/gl/gl_scene.hpp"

#include "sinew/animate.hpp"
#include "sinew/load.hpp"

namespace sinew::show {
namespace {

struct Sample {
  const char* file;
  double time;
};

class Shader : public testing::TestWithParam<Sample> {};

/// The pictures' tolerance of positions, relative to the size of the model; of normals, of length 1.
constexpr double position_tolerance = 2e-6, normal_tolerance = 2e-5;

TEST_P(Shader, MovesVerticesAsTheLibraryDoes) {
  auto context = gl::Context::create();
  if (!context) GTEST_SKIP() << context.error().message;
  FindingList ignored;
  const auto model = io::load(std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / GetParam().file, {}, ignored);
  ASSERT_TRUE(model) << model.error().line();
  Pose pose = model->rest_pose;
  if (!model->clips.empty()) need(animate::sample(*model, model->clips[0], GetParam().time, pose));
  for (std::size_t node = 0; node < model->nodes.size(); ++node)  // all shapes, even if the clip does not animate them
    for (std::size_t shape = 0; shape < pose.amounts[node].size(); ++shape)
      pose.amounts[node][shape] += 0.3 + 0.1 * static_cast<double>(shape);

  auto scene = Scene::create(*model, {});
  ASSERT_TRUE(scene) << scene.error().line();
  const std::size_t count = scene->deformer().vertices();
  std::vector<float> positions(count * 3), normals(count * 3);
  ASSERT_TRUE(scene->deformer().run(pose, {{positions.data(), count, 3}, {normals.data(), count, 3}, {}}, 1));
  const auto programs = Programs::create();
  ASSERT_TRUE(programs) << programs.error().line();
  const auto target = gl::Target::create(4, 4);  // without a target OpenGL draws nothing, not even with rasterisation disabled
  ASSERT_TRUE(target) << target.error().line();
  target->bind();
  GlScene uploaded(*scene, *programs, {});
  ASSERT_TRUE(uploaded.pose(pose));
  const auto moved = uploaded.deformed();
  ASSERT_TRUE(moved) << moved.error().line();
  ASSERT_EQ(moved->size(), count * 6);

  double size = 0, position_error = 0, normal_error = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      size = std::max<double>(size, std::abs(positions[i * 3 + axis]));
      position_error = std::max<double>(position_error, std::abs((*moved)[i * 6 + axis] - positions[i * 3 + axis]));
      normal_error = std::max<double>(normal_error, std::abs((*moved)[i * 6 + 3 + axis] - normals[i * 3 + axis]));
    }
  EXPECT_GT(size, 0);
  EXPECT_LE(position_error, size * position_tolerance);
  EXPECT_LE(normal_error, normal_tolerance);
}

INSTANTIATE_TEST_SUITE_P(Samples, Shader,
                         testing::Values(Sample{"gltf/simple_skin.gltf", 1.0}, Sample{"gltf/tube_8_influences.gltf", 1.3},
                                         Sample{"gltf/morph_cube.gltf", 0.7}, Sample{"gltf/mirrored_pair.gltf", 0},
                                         Sample{"show/figure.gltf", 0.35}, Sample{"show/face.gltf", 2.5},
                                         Sample{"g4mf/shared_mesh.g4tf", 0}, Sample{"g4mf/stiff_tail.g4tf", 0},
                                         Sample{"g4mf/scaled_bone.g4tf", 0}),
                         [](const auto& tested) {
                           std::string name = tested.param.file;
                           std::replace_if(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace sinew::show
