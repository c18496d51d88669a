// SPDX-License-Identifier: MIT
#include "sinew/names.hpp"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("walk", "walk"), 0u);
  EXPECT_EQ(edit_distance("Walk", "wALK"), 0u);
  EXPECT_EQ(edit_distance("walk", "wlak"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(NearestName, SuggestsOnlyWhatMayHaveBeenMeant) {
  EXPECT_EQ(nearest_name("Wlak", {"Run", "Walk", "Survey"}), "Walk");
  EXPECT_EQ(nearest_name("Jump", {"Run", "Walk"}), std::nullopt);
  EXPECT_EQ(nearest_name("x", {}), std::nullopt);
}

}  // namespace
}  // namespace sinew
