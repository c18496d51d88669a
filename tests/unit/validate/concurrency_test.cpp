// SPDX-License-Identifier: MIT
// Loads, deforms and validates on several threads at once: the same results as on one. The thread sanitizer runs this too.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "base/guard.hpp"
#include "unit/validate/deformed.hpp"

#include "sinew/deform.hpp"
#include "sinew/validate.hpp"

namespace sinew::validate::test::concurrency_test {
namespace {

namespace fs = std::filesystem;

const fs::path samples = fs::path(SINEW_SOURCE_DIR) / "samples";

template <class Work>
void on_threads(std::size_t count, Work work) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(Concurrency, LoadingAndValidatingTheSameFiles) {
  const std::vector<fs::path> files = {samples / "gltf/simple_skin.gltf", samples / "gltf/tube_8_influences.gltf",
                                       samples / "g4mf/arm_4d.g4b", samples / "g4mf/arm_4d_zstd.g4b"};
  const auto all_of = [](const fs::path& file) -> std::vector<float> {
    FindingList findings;
    const auto model = io::load(file, {}, findings);
    const auto report = check_file(file, {});
    if (!model || !report || report->issues.reach(Severity::error)) return {};
    return deformed(*model, need(instances(*model)), room_for(*model)).value_or(std::vector<float>());
  };
  std::vector<std::vector<float>> right;
  for (const fs::path& file : files) right.push_back(all_of(file));
  std::vector<std::vector<float>> found(8);
  on_threads(found.size(), [&](std::size_t i) { found[i] = all_of(files[i % files.size()]); });
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_FALSE(found[i].empty());
    EXPECT_EQ(found[i], right[i % files.size()]);
  }
}

TEST(Concurrency, OneModelAndOnePreparedMeshForAll) {
  FindingList findings;
  const auto model = io::load(samples / "gltf/tube_8_influences.gltf", {}, findings);
  ASSERT_TRUE(model);
  const Instance instance = need(instances(*model)).at(0);
  const auto prepared = deform::prepare(model->meshes[instance.mesh], 3, {.slots = model->skins[instance.skin].slots.size()});
  ASSERT_TRUE(prepared);
  const auto run = [&](double turn) {
    Pose pose = model->rest_pose;
    pose.locals.back().translation = {turn, 0, 0};
    const std::vector<Affine> world = need(world_transforms(*model, pose)), rest = need(world_transforms(*model, model->rest_pose));
    deform::Palette palette;
    EXPECT_TRUE(deform::palette(*model, instance, world, rest, palette));
    std::vector<float> rows(prepared->vertices() * 3);
    deform::run_parallel(*prepared, palette, {}, {{rows.data(), prepared->vertices(), 3}, {}, {}}, 2);
    return rows;
  };
  std::vector<std::vector<float>> found(6);
  on_threads(found.size(), [&](std::size_t i) { found[i] = run(static_cast<double>(i)); });
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], run(static_cast<double>(i)));
  EXPECT_NE(found[0], found[1]);
}

}  // namespace
}  // namespace sinew::validate::test::concurrency_test
