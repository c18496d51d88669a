// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "base/budget.hpp"
#include "base/catalogue.hpp"

#include "sinew/result.hpp"

namespace sinew {
namespace {

TEST(Error, IsOneLineWithFilePlaceMessageAndCode) {
  EXPECT_EQ((Error{Failure::input, "CODE", {"a.gltf", "/nodes/1", std::nullopt}, "what"}).line(), "a.gltf: /nodes/1: what [CODE]");
  EXPECT_EQ((Error{Failure::input, "CODE", {"a.glb", std::nullopt, 12}, "what"}).line(), "a.glb: byte 12: what [CODE]");
  EXPECT_EQ((Error{Failure::usage, "", {}, "two\nlines\x7f"}).line(), "two lines ");
}

TEST(Catalogue, NamesEveryCodeOnce) {
  std::set<std::string_view> codes;
  for (const CatalogueRow& row : all_codes()) EXPECT_TRUE(codes.insert(row.code).second) << row.code;
  EXPECT_GE(codes.size(), 10u);
  ASSERT_NE(find_code("SINEW_USAGE"), nullptr);
  EXPECT_EQ(find_code("NO_SUCH_CODE"), nullptr);
}

TEST(Catalogue, CutsLongMessagesInTheMiddle) {
  EXPECT_EQ(cut_middle(std::string(2000, 'a')), std::string(2000, 'a'));
  EXPECT_EQ(cut_middle("x" + std::string(1 << 20, 'a') + "y"), "x" + std::string(899, 'a') + " … " + std::string(899, 'a') + "y");
  std::string umlauts;
  for (int i = 0; i < 2000; ++i) umlauts += "ü";
  EXPECT_EQ(cut_middle(umlauts), umlauts.substr(0, 900) + " … " + umlauts.substr(0, 900));
  EXPECT_EQ(cut_middle("a" + umlauts + "b"), "a" + umlauts.substr(0, 898) + " … " + umlauts.substr(0, 898) + "b");
  EXPECT_LT(error("SINEW_URI_REFUSED"_code, Failure::input, {}, std::string(4 << 20, 'u'), "why").message.size(), 2000u);
}

TEST(Budget, RefusesWhatOverflowsOrIsNotLeft) {
  Budget budget(100);
  EXPECT_TRUE(budget.take(5, 10));
  EXPECT_FALSE(budget.take(51, 1));
  EXPECT_FALSE(budget.take(std::uint64_t{1} << 40, std::uint64_t{1} << 40));
  EXPECT_TRUE(budget.take(50, 1));
  EXPECT_FALSE(checked_add(~std::uint64_t{0}, 1).has_value());
  EXPECT_EQ(checked_mul(6, 7), 42u);
}

}  // namespace
}  // namespace sinew
