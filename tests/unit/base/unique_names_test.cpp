// SPDX-License-Identifier: MIT
#include "base/unique_names.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sinew {
namespace {

TEST(UniqueNames, GiveTheNextNumberThatIsFree) {
  UniqueNames names;
  names.add("Arm_3");
  EXPECT_EQ(names.take("Arm"), "Arm");
  EXPECT_EQ(names.take("Arm"), "Arm_2");
  EXPECT_EQ(names.take("Arm"), "Arm_4");
  EXPECT_EQ(names.take("Arm_2"), "Arm_2_2");
  EXPECT_EQ(names.take("Arm_3"), "Arm_3_2");
  EXPECT_EQ(names.take(""), "");
  EXPECT_TRUE(names.contains("Arm_4"));
  EXPECT_FALSE(names.contains("Arm_5"));
}

TEST(UniqueNames, AHundredThousandOfOneNameAreDoneAtOnce) {
  UniqueNames names;
  std::set<std::string> found;
  for (int i = 0; i < 100'000; ++i) found.insert(names.take("Bone"));  // a search from 2 on would take minutes
  EXPECT_EQ(found.size(), 100'000u);
}

}  // namespace
}  // namespace sinew
