// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/budget.hpp"

#include "sinew/result.hpp"

namespace sinew {
namespace {

TEST(Limits, EveryMemberHasARowWithACodeThatThereIs) {
  EXPECT_EQ(all_limits().size() * sizeof(std::uint64_t), sizeof(Limits));
  for (const LimitRow& row : all_limits()) {
    EXPECT_NE(find_code(row.code), nullptr) << row.name;
    EXPECT_FALSE(row.what.empty()) << row.name;
    EXPECT_LE(Limits{}.*row.member, row.most) << row.name;
  }
}

TEST(Limits, FewCompressedBytesHoldNoMoreThanTheirShare) {
  Limits limits;
  limits.expansion = 1000;
  EXPECT_EQ(most_decoded(0, limits), 64u << 20) << "what is small is never refused";
  EXPECT_EQ(most_decoded(100'000, limits), 100'000'000u);
  EXPECT_EQ(most_decoded(~std::uint64_t{0}, limits), ~std::uint64_t{0}) << "no overflow";
}

}  // namespace
}  // namespace sinew
