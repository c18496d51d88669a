// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "sinew/array.hpp"

namespace sinew {
namespace {

using testing::ElementsAre;
using Short = SmallVector<int, 3>;

TEST(SmallVector, KeepsShortListsInside) {
  const Short list{1, 2, 3};
  const auto* begin = reinterpret_cast<const std::byte*>(&list);
  const auto* data = reinterpret_cast<const std::byte*>(list.data());
  EXPECT_TRUE(data >= begin && data < begin + sizeof list);
  EXPECT_THAT(list, ElementsAre(1, 2, 3));
}

TEST(SmallVector, KeepsLongListsOutside) {
  const Short list{1, 2, 3, 4};
  const auto* begin = reinterpret_cast<const std::byte*>(&list);
  const auto* data = reinterpret_cast<const std::byte*>(list.data());
  EXPECT_FALSE(data >= begin && data < begin + sizeof list);
  EXPECT_THAT(list, ElementsAre(1, 2, 3, 4));
}

TEST(SmallVector, CopiesAreIndependent) {
  for (const std::size_t size : {0u, 2u, 3u, 9u}) {
    Short list(size, 7);
    Short copy = list;
    Short assigned{5, 5, 5, 5, 5};
    assigned = list;
    if (size != 0) list[0] = 8;
    EXPECT_EQ(copy, Short(size, 7));
    EXPECT_EQ(assigned, Short(size, 7));
  }
}

TEST(SmallVector, MovingTakesTheValuesAndLeavesAnEmptyList) {
  for (const std::size_t size : {0u, 2u, 3u, 9u}) {
    Short list(size, 7);
    Short taken = std::move(list);
    EXPECT_TRUE(list.empty());  // NOLINT(bugprone-use-after-move): the state after it is part of the contract
    EXPECT_EQ(taken, Short(size, 7));
    Short held{1, 2, 3, 4, 5};
    held = std::move(taken);
    EXPECT_EQ(held, Short(size, 7));
    held.assign(4, 1);
    EXPECT_THAT(held, ElementsAre(1, 1, 1, 1));
  }
}

TEST(SmallVector, SurvivesAssigningItselfToItself) {
  Short list{1, 2, 3, 4};
  Short& alias = list;
  list = alias;
  EXPECT_THAT(list, ElementsAre(1, 2, 3, 4));
}

TEST(SmallVector, GrowsAndShrinksOverTheBorder) {
  Short list;
  for (const std::size_t size : {1u, 8u, 2u, 3u, 4u, 20u, 0u}) {
    list.assign(size, static_cast<int>(size));
    EXPECT_EQ(list.size(), size);
    EXPECT_EQ(std::accumulate(list.begin(), list.end(), 0), static_cast<int>(size * size));
  }
}

TEST(SmallVector, TurnsIntoASpan) {
  Short list{1, 2, 3, 4};
  const std::span<int> values = list;
  values[3] = 9;
  const Short& fixed = list;
  const std::span<const int> seen = fixed;
  EXPECT_THAT(seen, ElementsAre(1, 2, 3, 9));
}

TEST(SmallVector, DiffersByLengthAndByValue) {
  EXPECT_EQ((Short{1, 2}), (Short{1, 2}));
  EXPECT_NE((Short{1, 2}), (Short{1, 2, 0}));
  EXPECT_NE((Short{1, 2}), (Short{1, 3}));
}

}  // namespace
}  // namespace sinew
