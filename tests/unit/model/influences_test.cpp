// SPDX-License-Identifier: MIT
#include "model/influences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace sinew {
namespace {

using testing::ElementsAre;

std::vector<std::pair<std::uint32_t, double>> row(const InfluenceTable& table, std::size_t vertex) {
  std::vector<std::pair<std::uint32_t, double>> out;
  for (const auto [slot, weight] : table[vertex]) out.emplace_back(slot, weight);
  return out;
}

Influences two_sets() {
  Influences stored;
  stored.sets.push_back({Array::own(std::vector<std::uint8_t>{1, 2, 0, 0, 3, 0, 0, 0}, 4),
                         Array::own(std::vector<std::uint8_t>{255, 0, 0, 0, 51, 0, 0, 0}, 4, true)});
  stored.sets.push_back(
      {Array::own(std::vector<std::uint16_t>{0, 0, 0, 0, 300, 0, 0, 0}, 4), Array::own(std::vector<float>{0, 0, 0, 0, 0.75F, 0, 0, 0}, 4)});
  return stored;
}

TEST(InfluenceTable, ReadsAllSetsOfAVertexInOneRow) {
  const InfluenceTable table(two_sets());
  ASSERT_EQ(table.size(), 2U);
  EXPECT_THAT(row(table, 0), testing::SizeIs(8));
  EXPECT_THAT(row(table, 1), ElementsAre(std::pair(3U, 0.2), std::pair(0U, 0.0), std::pair(0U, 0.0), std::pair(0U, 0.0),
                                         std::pair(300U, 0.75), std::pair(0U, 0.0), std::pair(0U, 0.0), std::pair(0U, 0.0)));
}

TEST(InfluenceTable, ReadsRunsOfEntries) {
  Influences stored;
  stored.first = {0, 2, 2, 3};
  stored.slots = Array::own(std::vector<std::uint16_t>{4, 1, 0}, 1);
  stored.weights = Array::own(std::vector<double>{0.5, 2, -1}, 1);
  const InfluenceTable table(stored);
  ASSERT_EQ(table.size(), 3U);
  EXPECT_THAT(row(table, 0), ElementsAre(std::pair(4U, 0.5), std::pair(1U, 2.0)));
  EXPECT_TRUE(table[1].empty());
  EXPECT_THAT(row(table, 2), ElementsAre(std::pair(0U, -1.0)));
  EXPECT_THAT(weight_sums(stored), ElementsAre(2.5, 0.0, -1.0));
}

TEST(InfluenceTable, HasNoRowsWithoutInfluences) { EXPECT_EQ(InfluenceTable(Influences()).size(), 0U); }

TEST(WeightedRows, LeaveOutWeightsOfZero) {
  const std::vector<InfluenceRow> rows = weighted_rows(two_sets());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].size(), 1U);
  EXPECT_EQ(rows[1].size(), 2U);
}

TEST(WithoutRepeats, AddsTheWeightsOfOneSlot) {
  const InfluenceRow merged = without_repeats(InfluenceRow{{2, 0.25}, {7, 0.0}, {1, 0.5}, {2, 0.25}});
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].slot, 2U);
  EXPECT_EQ(merged[0].weight, 0.5);
  EXPECT_EQ(merged[1].slot, 1U);
}

TEST(Blended, IsTheMeanByWeight) {
  const Affine stays(2), moved(2, std::vector<double>{1, 0, 0, 1, 6, -3});
  const std::vector<Affine> maps{stays, moved};
  EXPECT_THAT(blended(InfluenceRow{{0, 1}, {1, 2}}, maps).values(), ElementsAre(1, 0, 0, 1, 4, -2));
  EXPECT_THAT(blended(InfluenceRow{{0, 0}, {1, 0.1}}, maps).values(), ElementsAre(1, 0, 0, 1, 6, -3));  // exactly, without rounding
  EXPECT_THAT(blended(InfluenceRow{{0, 1}, {1, -1}}, maps).values(), ElementsAre(1, 0, 0, 1, 0, 0));    // they cancel
}

}  // namespace
}  // namespace sinew
