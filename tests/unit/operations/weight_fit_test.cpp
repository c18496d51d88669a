// SPDX-License-Identifier: MIT
#include "operations/optimize/weights/weight_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "operations/optimize/joint_slots.hpp"

namespace sinew::operations {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::Pointwise;

std::ptrdiff_t used(const std::vector<double>& weights) {
  return std::ranges::count_if(weights, [](double weight) { return weight != 0; });
}

// In one dimension the joints put the vertex at 0, 1 and 2, so that it is at 1.
TEST(WeightFit, FindsTheInfluenceThatDoesItAlone) {
  const WeightFit fit(1, {0.4, 0.2, 0.4}, {0, 1, 2});
  EXPECT_THAT(fit.fit(1), ElementsAre(0, 1, 0));
  EXPECT_NEAR(fit.error(fit.drop(1)), 1, 1e-12);
  EXPECT_NEAR(fit.error(fit.fit(1)), 0, 1e-12);
}

// Two poses; with the first and the last joint, (x, 1 − x) gives the distances |x − 0.6| · 3 and |x − 0.65| · 8.
TEST(WeightFit, LowersTheLargestDistance) {
  const WeightFit fit(1, {0.5, 0.3, 0.2}, {2, 0, -1, 4, 0, -4});
  const std::vector<double> kept = fit.fit(2);
  EXPECT_EQ(used(kept), 2);
  EXPECT_NEAR(kept[0], 7.0 / 11, 1e-3);
  EXPECT_NEAR(fit.error(kept), 6.0 / 55, 5e-3);
  EXPECT_NEAR(fit.error(fit.drop(2)), 1.3, 1e-12);
}

TEST(WeightFit, JointsThatMoveAlikeAreOne) {
  const WeightFit fit(2, {0.3, 0.3, 0.4}, {1, 0, 1, 0, 0, 5, 2, 2, 2, 2, 7, 7});
  const std::vector<double> kept = fit.fit_within(1e-9);
  EXPECT_EQ(used(kept), 2);
  EXPECT_NEAR(kept[2], 0.4, 1e-9);
  EXPECT_LE(fit.error(kept), 1e-9);
}

TEST(WeightFit, KeepsInfluencesThatMatter) {
  const WeightFit fit(1, {0.5, 0.5}, {0, 1});
  EXPECT_THAT(fit.fit_within(0.4), ElementsAre(0.5, 0.5));
  EXPECT_EQ(used(fit.fit_within(0.5)), 1);
}

TEST(WeightFit, IsNeverWorseThanDropping) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-1, 1), weight(0.01, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t count = 2 + static_cast<std::size_t>(trial) % 11, poses = 1 + static_cast<std::size_t>(trial) % 7;
    std::vector<double> weights(count), places(poses * count * 3);
    std::ranges::generate(weights, [&] { return weight(random); });
    std::ranges::generate(places, [&] { return place(random); });
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& value : weights) value /= sum;
    const WeightFit fit(3, weights, places);
    for (std::size_t most = 1; most < count; ++most) {
      const std::vector<double> kept = fit.fit(most);
      EXPECT_LE(used(kept), static_cast<std::ptrdiff_t>(most));
      EXPECT_THAT(kept, Each(Ge(0)));
      EXPECT_NEAR(std::accumulate(kept.begin(), kept.end(), 0.0), 1, 1e-9);
      EXPECT_LE(fit.error(kept), fit.error(fit.drop(most)) + 1e-12);
    }
    EXPECT_THAT(fit.fit(count), Pointwise(DoubleNear(0), weights));
  }
}

TEST(RenumberSlots, AddsWeightsThatGetTheSameSlot) {
  Mesh mesh;
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 2;
  block.influences.sets.push_back({Array::own(std::vector<std::uint8_t>{0, 2, 3, 1, 3, 0, 0, 9}, 4),
                                   Array::own(std::vector<float>{0.25F, 0.25F, 0.5F, 0, 1, 0, 0, 0}, 4)});
  renumber_slots(mesh, {0, 0, 0, 1});
  EXPECT_THAT(block.influences.sets[0].joints.read<std::uint32_t>(), ElementsAre(0, 1, 0, 0, 1, 0, 0, 0));
  EXPECT_THAT(block.influences.sets[0].weights.read<double>(), ElementsAre(0.5, 0.5, 0, 0, 1, 0, 0, 0));
}

TEST(MarkWeighted, IgnoresWeightsOfZero) {
  Mesh mesh;
  VertexBlock& block = mesh.blocks.emplace_back();
  block.vertices = 1;
  block.influences.sets.push_back(
      {Array::own(std::vector<std::uint8_t>{0, 2, 3, 1}, 4), Array::own(std::vector<float>{0.5F, 0, 0.5F, 0}, 4)});
  std::vector<bool> flags(3);
  mark_weighted(mesh, flags);
  EXPECT_THAT(flags, ElementsAre(true, false, false));
}

}  // namespace
}  // namespace sinew::operations
