// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/guard.hpp"
#include "base/suggestion.hpp"

#include "sinew/result.hpp"

namespace sinew {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(need(edit_distance("", "abc")), 3u);
  EXPECT_EQ(need(edit_distance("walk", "walk")), 0u);
  EXPECT_EQ(need(edit_distance("Walk", "wALK")), 0u);
  EXPECT_EQ(need(edit_distance("walk", "wlak")), 1u);
  EXPECT_EQ(need(edit_distance("kitten", "sitting")), 3u);
}

TEST(NearestName, SuggestsOnlyWhatMayHaveBeenMeant) {
  EXPECT_EQ(need(nearest_name("Wlak", {"Run", "Walk", "Survey"})), "Walk");
  EXPECT_EQ(need(nearest_name("Jump", {"Run", "Walk"})), std::nullopt);
  EXPECT_EQ(need(nearest_name("x", {})), std::nullopt);
  EXPECT_EQ(suggestion("hat", {"Cube.157", "Mage_Hat"}), " (did you mean \"Mage_Hat\"?)");
  EXPECT_EQ(suggestion("at", {"Cube.157", "Mage_Hat"}), "; there are \"Cube.157\", \"Mage_Hat\"");
}

TEST(FileExtension, IsInLowerCaseWithItsPoint) {
  EXPECT_EQ(need(file_extension("models.old/Arm.GLB")), ".glb");
  EXPECT_EQ(need(file_extension("arm.tar.G4tf")), ".g4tf");
  EXPECT_EQ(need(file_extension("models.old/arm")), "");
  EXPECT_EQ(need(file_extension("\xC3\x84.\xC3\x84")), ".\xC3\x84");
}

}  // namespace
}  // namespace sinew
