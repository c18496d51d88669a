// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/name_index.hpp"

namespace sinew {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::vector<NamedThing> clips{{"Walk", 0}, {"Run", 2}, {"Idle", 3}, {"Idle", 4}, {"7", 5}};

// An index finds the same, with the same messages.
Result<Index> find(std::string_view wanted) {
  const auto found = find_by_name(wanted, clips, 6, "animation"), indexed = NameIndex(clips, 6, "animation").find(wanted);
  EXPECT_EQ(found.has_value(), indexed.has_value()) << wanted;
  EXPECT_EQ(found.value_or(none), indexed.value_or(none)) << wanted;
  EXPECT_EQ(found ? "" : found.error().message, indexed ? "" : indexed.error().message) << wanted;
  return found;
}

std::string refusal(std::string_view wanted) {
  const auto found = find(wanted);
  EXPECT_FALSE(found.has_value());
  if (found) return "";
  EXPECT_EQ(found.error().failure, Failure::usage);
  return found.error().message;
}

TEST(FindByName, ByName) { EXPECT_EQ(find("Run"), 2u); }

TEST(FindByName, DigitsAreAnIndexAlsoOfThingsWithoutAName) {
  EXPECT_EQ(find("1"), 1u);
  EXPECT_EQ(find("5"), 5u);
  EXPECT_THAT(refusal("6"), HasSubstr("\"Walk\""));
  EXPECT_THAT(refusal("99999999999999999999"), HasSubstr("index"));
}

TEST(FindByName, ThePrefixForcesAName) {
  EXPECT_EQ(find("name:7"), 5u);
  EXPECT_EQ(find("name:Walk"), 0u);
  EXPECT_THAT(refusal("name:Idle"), HasSubstr("ambiguous"));
  EXPECT_THAT(refusal("name:"), HasSubstr("named \"\""));
  EXPECT_THAT(refusal("name:1"), HasSubstr("named \"1\""));
}

TEST(FindByName, ANameOfSeveralIsRefusedWithTheirIndices) {
  EXPECT_THAT(refusal("Idle"), AllOf(HasSubstr("3"), HasSubstr("4"), Not(HasSubstr("Walk"))));
}

TEST(FindByName, AnUnknownNameListsWhatThereIsAndTheNearest) {
  EXPECT_THAT(refusal("Wlak"), AllOf(HasSubstr("did you mean \"Walk\""), HasSubstr("2 \"Run\"")));
  EXPECT_THAT(refusal("Somersault"), AllOf(Not(HasSubstr("did you mean")), HasSubstr("2 \"Run\"")));
}

TEST(FindByName, LongListsAreCut) {
  std::vector<std::string> names;
  std::vector<NamedThing> things;
  for (Index i = 0; i < 30; ++i) names.push_back("clip_" + std::to_string(i));
  for (Index i = 0; i < 30; ++i) things.push_back({names[i], i});
  const auto found = find_by_name("zzz", things, 30, "animation");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, AllOf(HasSubstr("clip_19\""), Not(HasSubstr("clip_20")), HasSubstr("and 10 more")));
}

TEST(FindByName, SaysWhenThereIsNothingToChooseFrom) {
  EXPECT_THAT(find_by_name("Walk", {}, 0, "animation").error().message, HasSubstr("the file has no animation"));
  EXPECT_THAT(find_by_name("Walk", {}, 2, "animation").error().message, HasSubstr("from 0 to 1"));
}

}  // namespace
}  // namespace sinew
