// SPDX-License-Identifier: MIT
// The vertex shader in the tutorial deforms vertices to the same positions as the library.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "base/guard.hpp"
#include "show/gl/functions.hpp"
#include "show/gl/gl.hpp"

#include "sinew/animate.hpp"
#include "sinew/deform.hpp"
#include "sinew/load.hpp"

namespace sinew::show {
namespace {

using namespace gl;

constexpr std::size_t vertices = 10;  // of the tutorial's strip

const std::filesystem::path root = SINEW_SOURCE_DIR;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The stored data of the strip, as the shader's attributes.
struct Strip {
  std::vector<float> positions, weights;
  std::vector<std::uint32_t> joints;
};

Strip strip_of(const VertexBlock& block) {
  const auto& set = block.influences.sets.front();
  return {find_attribute(block.attributes, Semantic::position)->values.read<float>(), set.weights.read<float>(),
          set.joints.read<std::uint32_t>()};
}

/// The joint matrices at a pose, column-major, one after another.
std::vector<float> joint_matrices_of(const Model& model, const Pose& pose) {
  deform::Palette palette;
  EXPECT_TRUE(deform::palette(model, need(instances(model)).front(), need(world_transforms(model, pose)), {}, palette));
  std::vector<float> numbers;
  for (std::size_t slot = 0; slot + 1 < palette.size(); ++slot)
    for (std::size_t column = 0; column < 4; ++column)
      for (std::size_t row = 0; row < 4; ++row)
        numbers.push_back(row < 3 ? static_cast<float>(palette[slot](row, column)) : column == 3 ? 1.0F : 0.0F);
  return numbers;
}

template <class T>
gl::Object attach(const gl::Object& program, const char* name, const std::vector<T>& values) {
  gl::Object buffer = gl::make_buffer(values);
  const auto location = static_cast<GLuint>(glGetAttribLocation(program.name(), name));
  const auto width = static_cast<GLint>(values.size() / vertices);
  glBindBuffer(GL_ARRAY_BUFFER, buffer.name());
  glEnableVertexAttribArray(location);
  if constexpr (std::is_integral_v<T>)
    glVertexAttribIPointer(location, width, GL_UNSIGNED_INT, 0, nullptr);
  else
    glVertexAttribPointer(location, width, GL_FLOAT, GL_FALSE, 0, nullptr);
  return buffer;
}

/// Returns the shader's values of `world_position`.
std::vector<float> run_shader(const gl::Object& program, const Strip& strip, const std::vector<float>& joint_matrices) {
  const std::array<float, 16> identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const gl::Object state = gl::make_vertex_array();
  glBindVertexArray(state.name());
  glUseProgram(program.name());
  const gl::Object attached[] = {attach(program, "position", strip.positions), attach(program, "joints", strip.joints),
                                 attach(program, "weights", strip.weights)};
  glUniformMatrix4fv(glGetUniformLocation(program.name(), "joint_matrices"), static_cast<GLsizei>(joint_matrices.size() / 16), GL_FALSE,
                     joint_matrices.data());
  glUniformMatrix4fv(glGetUniformLocation(program.name(), "clip_from_world"), 1, GL_FALSE, identity.data());
  std::vector<float> moved(vertices * 3);
  const gl::Object captured = gl::make_buffer(moved);
  glEnable(GL_RASTERIZER_DISCARD);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, captured.name());
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, vertices);
  glEndTransformFeedback();
  glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, vertices * 3 * sizeof(float), moved.data());
  glDisable(GL_RASTERIZER_DISCARD);
  return moved;
}

TEST(TutorialShader, MovesTheStripAsTheLibraryDoes) {
  auto context = gl::Context::create();
  if (!context) GTEST_SKIP() << context.error().message;
  FindingList ignored;
  const auto model = io::load(root / "samples/gltf/simple_skin.gltf", {}, ignored);
  ASSERT_TRUE(model) << model.error().line();
  Pose pose = model->rest_pose;
  need(animate::sample(*model, model->clips.front(), 1.375, pose));
  auto deformer = deform::SceneDeformer::create(*model, need(instances(*model)), {});
  ASSERT_TRUE(deformer) << deformer.error().line();
  ASSERT_EQ(deformer->vertices(), vertices);
  std::vector<float> expected(vertices * 3);
  ASSERT_TRUE(deformer->run(pose, {{expected.data(), vertices, 3}, {}, {}}, 1));

  const std::string shader = text_of(root / "examples/skinning.vert");
  const auto target = gl::Target::create(4, 4);
  ASSERT_TRUE(target) << target.error().line();
  target->bind();
  const auto program = gl::make_program({.vertex = shader,
                                         .fragment = "#version 330 core\nout vec4 color;\nvoid main() { color = vec4(1); }\n",
                                         .captured = {"world_position"}});
  ASSERT_TRUE(program) << program.error().line();
  const std::vector<float> moved = run_shader(*program, strip_of(model->meshes.front().blocks.front()), joint_matrices_of(*model, pose));
  for (std::size_t i = 0; i < moved.size(); ++i) EXPECT_NEAR(moved[i], expected[i], 1e-6) << "vertex " << i / 3;
  EXPECT_NEAR(moved[9 * 3], -1, 1e-6);  // the tutorial's own figures for vertex 9
  EXPECT_NEAR(moved[9 * 3 + 1], 1.5, 1e-6);
}

}  // namespace
}  // namespace sinew::show
