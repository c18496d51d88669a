// SPDX-License-Identifier: MIT
#include "model/human_bones.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sinew {
namespace {

TEST(HumanBones, AreFiftyFiveWithParentsFirst) {
  const auto bones = human_bones();
  ASSERT_EQ(bones.size(), 55u);
  EXPECT_EQ(std::ranges::count_if(bones, &HumanBoneKind::required), 15);
  EXPECT_EQ(std::ranges::count_if(bones, [](const HumanBoneKind& kind) { return kind.required || kind.required_in_old; }), 17);
  for (const HumanBoneKind& kind : bones) {
    const HumanBoneKind* const parent = find_human_bone(kind.parent);
    EXPECT_EQ(parent == nullptr, kind.name == "hips") << kind.name;
    EXPECT_TRUE(parent == nullptr || parent < &kind) << kind.name;
    EXPECT_EQ(find_human_bone(kind.name), &kind);
    EXPECT_EQ(find_old_human_bone(kind.name_in_old()), &kind);
  }
}

TEST(HumanBones, OfTheThumbHaveOtherNamesInOldFiles) {
  EXPECT_EQ(find_old_human_bone("leftThumbProximal")->name, "leftThumbMetacarpal");
  EXPECT_EQ(find_old_human_bone("leftThumbIntermediate")->name, "leftThumbProximal");
  EXPECT_EQ(find_human_bone("leftThumbIntermediate"), nullptr);
  EXPECT_EQ(find_human_bone("tail"), nullptr);
}

TEST(HumanBones, OfBothSidesAreAlike) {
  for (const HumanBoneKind& kind : human_bones()) {
    if (!kind.name.starts_with("left")) continue;
    const HumanBoneKind* const right = find_human_bone("right" + std::string(kind.name.substr(4)));
    ASSERT_NE(right, nullptr) << kind.name;
    EXPECT_EQ(right->required, kind.required);
    EXPECT_EQ(right->needs_parent, kind.needs_parent);
  }
}

}  // namespace
}  // namespace sinew
