// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/guard.hpp"

#include "sinew/sinew.hpp"

// Many poses as arrays. tests/python/test_batch.py compares all samples with single calls and with the independent evaluators.

namespace sinew {
namespace {

Model load_sample(const std::string& name) {
  auto model = load(SINEW_SOURCE_DIR "/samples/" + name);
  if (!model) throw std::runtime_error(model.error().line());
  return *std::move(model);
}

Deformer deformer_of(const Model& model, const DeformerOptions& options = {}) {
  auto deformer = Deformer::create(model, options);
  if (!deformer) throw std::runtime_error(deformer.error().line());
  return *std::move(deformer);
}

void append(const Affine& map, std::vector<double>& out) {
  for (std::size_t i = 0; i < map.dimension(); ++i)
    for (std::size_t j = 0; j <= map.dimension(); ++j) out.push_back(map(i, j));
  out.insert(out.end(), map.dimension(), 0.0);
  out.push_back(1);
}

/// Poses of a clip, the last one at its end, and the same as arrays.
struct Batch {
  std::vector<Pose> poses;
  std::vector<double> local, world, amounts;

  Batch(const Model& model, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      poses.push_back(model.clips.empty()
                          ? model.rest()
                          : *sample(model, 0, model.clips[0].duration * static_cast<double>(i + 1) / static_cast<double>(count)));
      for (const LocalTransform& own : poses.back().locals) append(affine_of(model.dimension, own), local);
      for (const Affine& own : need(world_transforms(model, poses.back()))) append(own, world);
      for (const std::vector<double>& own : poses.back().amounts) amounts.insert(amounts.end(), own.begin(), own.end());
    }
  }
  [[nodiscard]] PoseArrays arrays() const { return {poses.size(), local, {}, {}, {}, {}, amounts}; }
};

TEST(Batch, LocalMatricesGiveWhatPosesGive) {
  for (const char* name : {"gltf/simple_skin.gltf", "gltf/morph_cube.gltf", "g4mf/arm_4d.g4tf"}) {
    const Model model = load_sample(name);
    Deformer deformer = deformer_of(model);
    const Batch batch(model, 37);
    std::vector<float> expected(37 * deformer.vertices() * deformer.dimension()), found(expected.size());
    ASSERT_TRUE(deformer.positions(batch.poses, expected));
    for (const unsigned threads : {0u, 1u, 64u}) {
      std::ranges::fill(found, 0.0F);
      ASSERT_TRUE(deformer.positions(batch.arrays(), found, threads));
      EXPECT_EQ(found, expected) << name << " " << threads;
    }
    const std::size_t one = expected.size() / 37;
    ASSERT_TRUE(deformer.positions(batch.arrays().part(5, 2), std::span(found).first(2 * one)));
    EXPECT_TRUE(std::equal(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(2 * one),
                           expected.begin() + static_cast<std::ptrdiff_t>(5 * one)));
  }
}

TEST(Batch, PalettesAreWorldTimesBind) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  Deformer deformer = deformer_of(model);
  const Batch batch(model, 3);
  ASSERT_EQ(deformer.palette_maps(), 3u);
  std::vector<double> maps(3 * 3 * 16);
  ASSERT_TRUE(deformer.palettes({3, {}, batch.world, {}, {}, {}, {}}, maps));
  for (std::size_t slot = 0; slot < 2; ++slot) {
    std::vector<double> expected;
    append(need(world_transforms(model, batch.poses[2]))[model.skins[0].slots[slot]] * model.skins[0].joint_from_mesh[slot], expected);
    for (std::size_t k = 0; k < 16; ++k) EXPECT_NEAR(maps[(2 * 3 + slot) * 16 + k], expected[k], 1e-12);
  }
}

/// A sum over the positions that is linear in a translation of a root has the sum of the weights as its gradient.
TEST(Batch, TheGradientOfARootsTranslationIsTheSumOfTheWeights) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  Deformer deformer = deformer_of(model);
  const Batch batch(model, 2);
  const std::vector<float> gradient(2 * deformer.vertices() * 3, 1.0F);
  std::vector<double> matrices(2 * model.nodes.size() * 16), rest(deformer.vertices() * 3);
  ASSERT_TRUE(deformer.vjp({2, {}, batch.world, {}, {}, {}, {}}, gradient, {matrices, {}, rest}));
  double sum = 0;
  for (std::size_t node = 0; node < model.nodes.size(); ++node) sum += matrices[(model.nodes.size() + node) * 16 + 3];
  EXPECT_NEAR(sum, static_cast<double>(deformer.vertices()), 1e-5);
  EXPECT_TRUE(std::ranges::any_of(rest, [](double value) { return value != 0; }));
}

TEST(Batch, RefusesWhatDoesNotFit) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  Deformer deformer = deformer_of(model);
  Batch batch(model, 40);
  std::vector<float> out(40 * 30);
  EXPECT_FALSE(deformer.positions(batch.arrays(), std::span(out).first(30)));
  PoseArrays arrays = batch.arrays();
  arrays.local = arrays.local.first(47);
  EXPECT_FALSE(deformer.positions(arrays, out));
  arrays = batch.arrays();
  arrays.world = batch.world;
  EXPECT_FALSE(deformer.positions(arrays, out));
  EXPECT_FALSE(deformer.run(batch.arrays(), {{}, {out.data(), 400, 3}, {}}));  // no normals were asked for
  EXPECT_FALSE(deformer.vjp(batch.arrays(), std::span(out).first(30), {}));
  EXPECT_FALSE(deformer.palettes(batch.arrays(), {}));
  batch.local[(30 * 3 + 1) * 16] = NAN;
  batch.local[(7 * 3 + 2) * 16 + 15] = 0;
  for (const unsigned threads : {1u, 0u}) {
    const auto made = deformer.positions(batch.arrays(), out, threads);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().failure, Failure::usage);
    EXPECT_NE(made.error().message.find("pose 7, node 2 \"Upper\""), std::string::npos) << made.error().message;
  }
  EXPECT_TRUE(deformer.positions(PoseArrays{}, {}));
}

TEST(Batch, ComputesNormalsWithoutPositions) {
  const Model model = load_sample("gltf/simple_skin.gltf");
  Deformer deformer = deformer_of(model, {.normals = Normals::computed});
  const Batch batch(model, 5);
  std::vector<float> found(5 * 30), expected(30);
  ASSERT_TRUE(deformer.run(batch.arrays(), {{}, {found.data(), 50, 3}, {}}));
  ASSERT_TRUE(deformer.run(batch.poses[3], {{}, {expected.data(), 10, 3}, {}}));
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), found.begin() + 90));
}

TEST(Batch, GradientsFollowNodesThatFollowOthers) {
  Model model = load_sample("gltf/simple_skin.gltf");
  model.avatar.constraints.push_back({.node = 2, .from = 0});
  const std::vector<double> rotor{0.8, 0.6, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  ASSERT_EQ(rotor.size(), 4 * model.nodes.size());
  Pose pose = model.rest();
  for (std::size_t node = 0; node < model.nodes.size(); ++node) pose.locals[node].rotor.assign(std::span(rotor).subspan(4 * node, 4));
  need(constrain(model, pose));
  ASSERT_LT(pose.locals[2].rotor[0], 0.9) << "node 2 turns with node 0";
  std::vector<double> local;
  for (const LocalTransform& own : pose.locals) append(affine_of(3, own), local);

  Deformer deformer = deformer_of(model);
  std::vector<float> gradient(deformer.vertices() * 3);
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = static_cast<float>(i % 7) - 3;
  std::vector<double> expected(local.size()), found(local.size());
  ASSERT_TRUE(deformer.vjp({.poses = 1, .local = local}, gradient, {.matrices = expected}));
  ASSERT_TRUE(deformer.vjp({.poses = 1, .rotor = rotor}, gradient, {.matrices = found}));
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
}

}  // namespace
}  // namespace sinew
