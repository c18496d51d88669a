// SPDX-License-Identifier: MIT
#include "sinew/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/guard.hpp"
#include "operations/compare/compare_sides.hpp"
#include "operations/compare/compare_vertices.hpp"
#include "operations/compare/node_pairs.hpp"

namespace sinew::operations {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// Vertices on a line, all on one joint at x = 3, with these weights.
Model line(std::size_t vertices, std::vector<float> weights, bool divide) {
  Model model;
  model.nodes.resize(2);
  model.nodes[0].mesh = model.nodes[0].skin = 0;
  model.rest_pose.locals.resize(2);
  model.rest_pose.locals[1].translation = {3, 0, 0};
  model.rest_pose.amounts.resize(2);
  model.skins.emplace_back().slots = {1};
  VertexBlock& block = model.meshes.emplace_back().blocks.emplace_back();
  block.vertices = vertices;
  std::vector<float> positions;
  for (std::size_t i = 0; i < vertices; ++i) positions.insert(positions.end(), {static_cast<float>(i), 0, 0});
  block.attributes = {{Semantic::position, 0, {}, Array::own(std::move(positions), 3), {}, {}}};
  Influences& influences = block.influences;
  if (divide) {
    for (std::uint32_t i = 0; i <= vertices; ++i) influences.first.push_back(i);
    influences.slots = Array::own(std::vector<std::uint8_t>(vertices), 1);
    influences.weights = Array::own(std::move(weights), 1);
    influences.divide_by_sum = true;
  } else {
    std::vector<float> sets;
    for (const float weight : weights) sets.insert(sets.end(), {weight, 0, 0, 0});
    influences.sets.push_back({Array::own(std::vector<std::uint8_t>(4 * vertices), 4), Array::own(std::move(sets), 4)});
  }
  Surface& surface = model.meshes[0].surfaces.emplace_back();
  surface.primitive = Primitive::points;
  return model;
}

Comparison compared(const Model& a, const Model& b) {
  auto result = compare(a, b);
  EXPECT_TRUE(result) << result.error().line();
  return result ? std::move(*result) : Comparison();
}

TEST(Compare, MeasuresWeightsThatOnlyOneSideDividesByTheirSumSeparately) {
  const std::vector<float> weights{1, 0.5F, 1, 1};
  const Comparison across = compared(line(4, weights, false), line(4, weights, true));
  ASSERT_EQ(across.instances.size(), 1U);
  const InstancePair& pair = across.instances[0];
  EXPECT_EQ(pair.apart, 1U);
  EXPECT_EQ(pair.pairs, 3U);
  EXPECT_DOUBLE_EQ(pair.apart_max, 2);  // half of (1 + 3)
  EXPECT_EQ(across.max(), 0);
  EXPECT_EQ(across.verdict(1e-5), Verdict::different);
  EXPECT_EQ(across.verdict(10), Verdict::equal_where_sampled);  // no statement about other poses
  EXPECT_THAT(need(across.every_pose()).why_not, testing::HasSubstr("the weights of 1 vertex of node"));
  const Comparison same = compared(line(4, weights, false), line(4, {1, 1, 1, 1}, false));
  EXPECT_EQ(same.instances[0].apart, 0U);
  EXPECT_DOUBLE_EQ(same.max(), 2);
}

TEST(Compare, SaysWhereInWords) {
  Model a = line(4, {1, 1, 1, 1}, false), b = a;
  b.rest_pose.locals[1].translation = {3, 0.75, 0};
  const Comparison comparison = compared(a, b);
  EXPECT_DOUBLE_EQ(comparison.diagonal, 3);
  EXPECT_NEAR(comparison.rms(), 0.75, 1e-6);
  EXPECT_EQ(need(in_words(comparison, comparison.instances[0])), "0.75 (0.25 of the diagonal), vertex 0, at rest");
  EXPECT_TRUE(comparison.equal_within(0.250001));
  EXPECT_FALSE(comparison.equal_within(0.249));
}

TEST(Compare, AModelWithoutExtentHasNoRelativeDistance) {
  Model a = line(1, {1}, false), b = a;
  EXPECT_EQ(compared(a, b).relative(0), 0);
  EXPECT_TRUE(compared(a, b).equal_within(0));
  b.rest_pose.locals[1].translation = {4, 0, 0};
  EXPECT_FALSE(compared(a, b).equal_within(1e9));
}

TEST(Compare, EveryShapeOfVeryManyIsLookedAtAlone) {
  constexpr Index shapes = 1100;  // more than one batch of prepared shapes
  const auto with_shapes = [](Index odd) {
    Model model = line(2, {1, 1}, false);
    model.meshes[0].shapes.resize(shapes);
    model.rest_pose.amounts[0].assign(shapes, 0);
    for (Index k = shapes; k-- > 0;) {  // in any order
      const float x = k == odd ? 2.5F : 1;
      model.meshes[0].blocks[0].attributes[0].offsets.push_back({k, {}, Array::own(std::vector<float>{x, 0, 0, 0, x, 0}, 3)});
    }
    return model;
  };
  const Comparison comparison = compared(with_shapes(none), with_shapes(1087));
  const std::vector<Part>& parts = comparison.instances[0].parts;
  constexpr std::size_t before = 4;  // rest and three stress poses
  ASSERT_EQ(parts.size(), before + shapes);
  for (Index k = 0; k < shapes; ++k) EXPECT_EQ(parts[before + k].distance.max, k == 1087 ? 1.5 : 0) << k;
}

TEST(Compare, ProvesEqualityInEveryPose) {
  const Model a = line(4, {1, 1, 1, 1}, false);
  const Comparison same = compared(a, a);
  EXPECT_EQ(same.verdict(0), Verdict::equal_in_every_pose);
  EXPECT_EQ(need(same.every_pose()).bound, 0);
  Model b = a;  // a vertex moves aside by 0.5, for any transform of the joint
  b.meshes[0].blocks[0].attributes[0].values = Array::own(std::vector<float>{0, 0, 0, 1, 0, 0, 2, 0.5F, 0, 3, 0, 0}, 3);
  const Comparison moved = compared(a, b);
  EXPECT_EQ(moved.verdict(0.1), Verdict::different);
  EXPECT_TRUE(need(moved.every_pose()).why_not.empty());
  EXPECT_NEAR(need(moved.every_pose()).bound, 0.5, 1e-5);
}

/// A file that allows few steps.
class SmallFile : public Source {
 public:
  [[nodiscard]] std::string file() const override { return "small.glb"; }
  [[nodiscard]] std::string pointer(SourceId) const override { return {}; }
  [[nodiscard]] std::uint64_t most_work() const override { return 800'000; }
};

/// Copies of one mesh in a row, each of another size. The vertices are points of a spiral, the last one moved by `moved` along z.
Model row_of_copies(const std::vector<double>& sizes, bool reversed, float moved) {
  constexpr std::size_t vertices = 200;
  Model model;
  model.nodes.resize(1);
  model.nodes[0].mesh = 0;
  model.rest_pose.locals.resize(1);
  model.rest_pose.amounts.resize(1);
  for (const double size : sizes) {
    Affine& copy = model.nodes[0].copies.emplace_back(3);
    for (std::size_t i = 0; i < 3; ++i) copy(i, i) = size;
    copy.translation(0) = static_cast<double>(model.nodes[0].copies.size());
  }
  std::vector<float> positions;
  for (std::size_t i = 0; i < vertices; ++i) {
    const std::size_t vertex = reversed ? vertices - 1 - i : i;
    const auto turn = static_cast<float>(vertex) / 10;
    positions.insert(positions.end(), {std::cos(turn), std::sin(turn), turn / 10 + (vertex + 1 == vertices ? moved : 0)});
  }
  Mesh& mesh = model.meshes.emplace_back();
  mesh.blocks.emplace_back().vertices = vertices;
  mesh.blocks[0].attributes = {{Semantic::position, 0, {}, Array::own(std::move(positions), 3), {}, {}}};
  mesh.surfaces.emplace_back().primitive = Primitive::points;
  model.source = std::make_shared<SmallFile>();
  return model;
}

TEST(Compare, PairsTheVerticesOfCopiesOnceAndMeasuresEachCopy) {
  std::vector<double> sizes(60, 1);
  sizes[17] = 3;
  CompareOptions options;
  for (options.match = false;; options.match = true) {
    const auto found = compare(row_of_copies(sizes, false, 0), row_of_copies(sizes, true, options.match ? 0 : 1e-3F), options);
    ASSERT_TRUE(found) << found.error().line();
    ASSERT_EQ(found->instances.size(), sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      EXPECT_EQ(found->instances[i].pairing, options.match ? Pairing::position : Pairing::permutation) << i;
      EXPECT_EQ(found->instances[i].pairs, 200U) << i;
      EXPECT_NEAR(found->instances[i].parts[0].distance.max, options.match ? 0 : 1e-3 * sizes[i], 1e-5) << i;
    }
    if (options.match) break;
  }
}

TEST(Compare, ACopyThatOneFileMovesFarDoesNotGetThePairsOfTheFirst) {
  Model a = row_of_copies({1, 1, 1}, false, 0), b = row_of_copies({1, 1, 1}, true, 0);
  b.nodes[0].copies[1].translation(2) = 0.5;
  const Comparison found = compared(a, b);
  ASSERT_EQ(found.instances.size(), 3U);
  for (const std::size_t i : {0U, 1U, 2U}) EXPECT_EQ(found.instances[i].pairing, i == 1 ? Pairing::index : Pairing::permutation) << i;
}

TEST(Compare, TellsProgressToItsEnd) {
  const Model model = line(2, {1, 1}, false);
  CompareOptions options;
  std::size_t last = 0, total = 0;
  options.progress = [&](std::size_t done, std::size_t of) { last = done, total = of; };
  options.match = true;
  ASSERT_TRUE(compare(model, model, options));
  EXPECT_EQ(last, total);
  EXPECT_GT(total, 0U);
}

TEST(MomentsOf, KeysThatManyTracksShareAreReadOnce) {
  std::vector<float> keys(20'000);  // a number for each key of each track would be more than three gigabytes
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<float>(i);
  Track track;
  track.times = Array::own(std::move(keys), 1);
  Clip clip;
  clip.tracks.assign(20'000, track);
  Track own;
  own.times = Array::own(std::vector<float>{0, 0.25F, 19'999}, 1);
  Clip other;
  other.tracks = {own};
  const std::vector<double> moments = moments_of(clip, other);
  ASSERT_EQ(moments.size(), 20'001 + 20'000);
  EXPECT_THAT(std::span(moments).first(6), ElementsAre(0, 0.125, 0.25, 0.625, 1, 1.5));
}

TEST(PairByName, UniqueNamesThenOrder) {
  const std::vector<std::string> a{"x", "", "twice", "twice", "y", "only"}, b{"y", "twice", "", "x", "new"};
  const Paired paired = pair_by_name(a, b);
  EXPECT_THAT(paired.pairs, ElementsAre(Pair(0U, 3U), Pair(1U, 1U), Pair(2U, 2U), Pair(3U, 4U), Pair(4U, 0U)));
  EXPECT_THAT(paired.only_a, ElementsAre(5U));
  EXPECT_THAT(paired.only_b, IsEmpty());
}

TEST(NearestRows, AgreesWithTryingAll) {
  std::vector<float> a, b;
  std::uint32_t state = 7;
  const auto draw = [&] {
    state = state * 1664525U + 1013904223U;
    return static_cast<float>(state >> 28);  // few values: many ties
  };
  constexpr std::size_t width = 3, rows_a = 300, rows_b = 200;
  for (std::size_t i = 0; i < rows_a * width; ++i) a.push_back(draw());
  for (std::size_t i = 0; i < rows_b * width; ++i) b.push_back(draw());
  const auto square = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t c = 0; c < width; ++c) sum += std::pow(a[i * width + c] - b[j * width + c], 2);
    return sum;
  };
  SearchSteps left = 1'000'000;
  const Candidates found = nearest_rows(a, b, width, 0, left);
  ASSERT_EQ(found.first.size(), rows_a + rows_b + 1);
  for (std::size_t row = 0; row < rows_a; ++row) {
    double least = square(row, 0);
    for (std::size_t j = 1; j < rows_b; ++j) least = std::min(least, square(row, j));
    std::size_t ties = 0;
    for (std::size_t j = 0; j < rows_b; ++j) ties += square(row, j) == least ? 1U : 0U;
    EXPECT_EQ(found.first[row + 1] - found.first[row], std::min<std::size_t>(ties, 16));
    for (std::uint32_t k = found.first[row]; k < found.first[row + 1]; ++k) {
      EXPECT_EQ(found.pairs[k].a, row);
      EXPECT_EQ(square(row, found.pairs[k].b), least);
    }
  }
}

TEST(NearestRows, CopiesOfARowAreNotVisitedOneByOne) {
  std::vector<float> rows{0, 0, 0};  // one more of these: the median has copies on one side and the other rows on the other
  for (std::size_t i = 0; i < 5000; ++i) rows.insert(rows.end(), {0, 0, 0, 0, 1, 0});
  constexpr SearchSteps enough = 2 * 10'000 * 200;
  SearchSteps left = enough;
  const Candidates found = nearest_rows(rows, rows, 3, 0, left);
  EXPECT_EQ(found.pairs.size(), 2 * 10'001 * 16);
  EXPECT_GT(left, 0U);
}

TEST(NearestRows, EndsWithoutSteps) {
  const std::vector<float> rows{0, 0, 1, 1, 2, 2};
  SearchSteps left = 3;
  static_cast<void>(nearest_rows(rows, rows, 2, 0, left));
  EXPECT_EQ(left, 0U);
  EXPECT_FALSE(all_near(rows, rows, 2, 0.5, left));
}

}  // namespace
}  // namespace sinew::operations
