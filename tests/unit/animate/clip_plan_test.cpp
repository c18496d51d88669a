// SPDX-License-Identifier: MIT
#include "animate/clip_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "base/guard.hpp"
#include "kernels/maps.hpp"

#include "sinew/animate.hpp"
#include "sinew/geometry.hpp"

namespace sinew {
namespace {

/// A chain of nodes whose tracks are of all kinds: sampled by animate::sample, they give the expected maps.
class PlayedChain {
 public:
  explicit PlayedChain(unsigned seed) : engine_(seed) {
    model.nodes.resize(nodes_count);
    model.rest_pose.locals.resize(nodes_count);
    model.rest_pose.amounts.resize(nodes_count);
    model.meshes.resize(1);
    model.meshes[0].shapes.resize(2);
    model.nodes[3].mesh = 0;
    model.rest_pose.amounts[3] = {0.25, 0.5};
    model.rest_pose.locals[1].basis = {1, 2, 3, 0, 1, 4, 5, 6, 0.5};
    model.rest_pose.locals[1].translation = {1, 2, 3};
    model.rest_pose.locals[2].basis = {1, 2, 3, 0, 1, 4, 5, 6, 0.5};  // and tracks
    for (Index node = 4; node < nodes_count; ++node) {
      const auto q = rotation();
      if (node % 3 != 0) model.rest_pose.locals[node].rotor = {q[3], q[2], -q[1], q[0]};
      if (node % 4 != 0) model.rest_pose.locals[node].scale = {number(), number(), number()};
      if (node % 5 != 0) model.rest_pose.locals[node].translation = {1e6 * number(), number(), number()};
    }
    Clip& clip = model.clips.emplace_back();
    for (Index node = 2; node < nodes_count; ++node)
      for (const TrackPath path : {TrackPath::translation, TrackPath::rotation, TrackPath::scale, TrackPath::translation})
        if (below(4) != 0) clip.tracks.push_back(track(node, path));
    clip.tracks.push_back(track(3, TrackPath::amounts));
    clip.tracks.push_back(clip.tracks[0]);
    clip.tracks.back().node = static_cast<Index>(nodes_count + 5);  // does not exist
  }

  double number() { return 2 * static_cast<double>(engine_()) / 4294967296.0 - 1; }
  std::size_t below(std::size_t end) { return engine_() % end; }

  /// Eleven nodes of the clip's model in another order than in the model.
  static constexpr std::size_t nodes_count = 13;
  const std::vector<Index> nodes{0, 12, 1, 2, 3, 11, 4, 5, 7, 8, 9};
  Model model;
  std::vector<double> all_times{-3, 9};

 private:
  std::vector<double> rotation() {
    std::vector<double> q{number(), number(), number(), number()};
    const double length = std::sqrt(std::inner_product(q.begin(), q.end(), q.begin(), 0.0));
    for (double& x : q) x /= length;
    return q;
  }

  Track track(Index node, TrackPath path) {
    Track out;
    out.node = node;
    out.path = path;
    out.quaternions = path == TrackPath::rotation && below(5) != 0;
    out.interpolation =
        std::array{Interpolation::linear, Interpolation::linear, Interpolation::step, Interpolation::cubic_spline}[below(4)];
    const std::size_t keys = std::array<std::size_t, 4>{1, 2, 9, 31}[below(4)],
                      parts = out.interpolation == Interpolation::cubic_spline ? 3 : 1;
    std::vector<float> times;
    const bool even = below(2) == 0;  // many tracks then have the same times in separate arrays
    for (std::size_t i = 0; i < keys; ++i)
      times.push_back(even ? static_cast<float>(i) / 10 : (i == 0 ? 0 : times.back()) + 0.01F + static_cast<float>(std::abs(number())) / 5);
    all_times.insert(all_times.end(), times.begin(), times.end());
    out.times = Array::own(times, 1);
    const std::size_t width = path == TrackPath::rotation ? 4 : path == TrackPath::amounts ? 1 : 3;
    const double turn = std::array{0.02, 0.2, 2.0}[below(3)];  // one for each way to compute the arc
    std::vector<double> now = width == 4 ? rotation() : std::vector<double>(width == 1 ? 2 : 3, 1.0);
    std::vector<double> values;
    for (std::size_t i = 0; i < keys * parts; ++i) {
      double squares = 0;
      for (double& x : now) {
        x += turn * number();
        squares += x * x;
      }
      const double length = width == 4 ? std::sqrt(squares) : 1;
      for (double& x : now) values.push_back(x /= length);
    }
    if (below(4) == 0)
      out.values = Array::own(values, width);
    else
      out.values = Array::own(std::vector<float>(values.begin(), values.end()), width);
    return out;
  }

  std::mt19937 engine_;
};

class ClipPlans : public testing::TestWithParam<unsigned> {
 protected:
  /// Returns the largest difference between a map and that of the pose, relative to its column's size.
  static double distance(const Affine& expected, const double* map) {
    double most = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      double size = 1, difference = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        size = std::max(size, std::abs(expected(i, j)));
        difference = std::max(difference, std::abs(expected(i, j) - map[4 * j + i]));
      }
      if (map[4 * j + 3] != 0) return HUGE_VAL;
      most = std::max(most, difference / size);
    }
    return most;
  }
};

TEST_P(ClipPlans, GiveTheMapsOfASampledPose) {
  PlayedChain played(GetParam());
  const std::vector<Index>& nodes = played.nodes;
  std::vector<double> times = played.all_times;
  for (std::size_t i = 0; i < 100; ++i) times.push_back(3.5 * played.number() + 1.5);
  std::shuffle(times.begin(), times.end(), std::mt19937(GetParam()));
  for (int i = 0; i < 200; ++i) times.push_back(i * 0.01);
  for (const kernels::SimdKernel& kernel : kernels::simd_kernels()) {
    const animate::ClipPlan plan(played.model, played.model.clips[0], nodes, kernel);
    animate::ClipPlan::Cursor cursor = plan.start();
    Pose now = played.model.rest();
    AlignedVector<double> maps(16 * 16, -1.0), fresh(maps.size(), -1.0);
    for (const double seconds : times) {
      Pose pose = played.model.rest();
      need(animate::sample(played.model, played.model.clips[0], seconds, pose));
      plan.sample(seconds, cursor, now, maps);
      for (std::size_t i = 0; i < nodes.size(); ++i)
        ASSERT_LT(distance(affine_of(3, pose.locals[nodes[i]]), &maps[16 * i]), 2e-15)
            << kernel.name << " node " << nodes[i] << " at " << seconds;
      ASSERT_EQ(now.amounts, pose.amounts) << seconds;
      animate::ClipPlan::Cursor first = plan.start();
      Pose rest = played.model.rest();
      plan.sample(seconds, first, rest, fresh);
      ASSERT_EQ(maps, fresh) << "what was sampled before counts at " << seconds;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, ClipPlans, testing::Range(1u, 21u));

TEST(ClipPlan, FindsTheSameKeyAmongEqualTimesWhateverWasSampledBefore) {
  Model model;
  model.nodes.resize(1);
  model.rest_pose.locals.resize(1);
  model.rest_pose.amounts.resize(1);
  Track& track = model.clips.emplace_back().tracks.emplace_back();
  track.node = 0;
  track.times = Array::own(std::vector<float>{0, 0, 1, 1, 2, 2}, 1);
  std::vector<float> values(18);
  std::iota(values.begin(), values.end(), 0.0F);
  track.values = Array::own(values, 3);
  const Index nodes[] = {0};
  for (const kernels::SimdKernel& kernel : kernels::simd_kernels()) {
    const animate::ClipPlan plan(model, model.clips[0], nodes, kernel);
    animate::ClipPlan::Cursor cursor = plan.start();
    Pose now = model.rest();
    AlignedVector<double> maps(8 * 16);
    for (const double seconds : {0.0, 0.5, 0.0, 1.0, 0.5, 1.0, 1.5, 2.0, 1.0, 0.0, -1.0, 2.0, 0.0}) {
      Pose pose = model.rest();
      need(animate::sample(model, model.clips[0], seconds, pose));
      plan.sample(seconds, cursor, now, maps);
      EXPECT_EQ(maps[12], pose.locals[0].translation[0]) << seconds;
    }
  }
}

}  // namespace
}  // namespace sinew
