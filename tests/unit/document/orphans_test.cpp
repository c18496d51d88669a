// SPDX-License-Identifier: MIT
#include "document/orphans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::document {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Orphans, BytesThatOthersUseStayAndAlignmentIsKept) {
  EXPECT_THAT(removable_bytes({{8, 24}, {26, 40}}, {}, 8), ElementsAre(Pair(8, 40))) << "padding between dead bytes is dead";
  EXPECT_THAT(removable_bytes({{0, 64}}, {{10, 20}}, 8), ElementsAre(Pair(0, 8), Pair(24, 64)));
  EXPECT_THAT(removable_bytes({{0, 64}}, {{0, 64}}, 8), ElementsAre());
  EXPECT_THAT(removable_bytes({{3, 7}}, {}, 8), ElementsAre());
  EXPECT_THAT(removable_bytes({{0, 32}}, {{16, 100}, {0, 4}}, 8), ElementsAre(Pair(8, 16)));
}

TEST(Orphans, PlacesMoveByWhatIsGoneBefore) {
  const std::vector<ByteRange> removed{{8, 16}, {24, 40}};
  EXPECT_EQ(moved_place(4, removed), 4u);
  EXPECT_EQ(moved_place(16, removed), 8u);
  EXPECT_EQ(moved_place(44, removed), 20u);
  std::vector<std::byte> bytes(48);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
  const std::vector<std::byte> kept = without_ranges(bytes, removed);
  EXPECT_EQ(kept.size(), 24u);
  EXPECT_EQ(kept[moved_place(44, removed)], static_cast<std::byte>(44));
}

}  // namespace
}  // namespace sinew::document
