// SPDX-License-Identifier: MIT
#include "document/schema/object.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::document::object_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view words[] = {"RED", "GREEN"};
constexpr double codes[] = {3, 5};

constexpr TableOf table(std::to_array<Property>({
    {.name = "size", .type = PropertyType::integer, .need = Property::Need::required, .minimum = 1, .out_of_range = OutOfRange::keep},
    {.name = "name", .type = PropertyType::string},
    {.name = "color", .type = PropertyType::string, .words = words, .fallback = 1},
    {.name = "code", .type = PropertyType::integer, .numbers = codes, .fallback = 5},
    {.name = "point", .type = PropertyType::number, .shape = Property::Shape::list, .least = 2, .most = 2},
    {.name = "links", .type = PropertyType::index, .shape = Property::Shape::list, .items = Property::Items::unique},
    {.name = "flag", .type = PropertyType::boolean, .fallback = 1},
    {.name = "part", .type = PropertyType::object},
    {.name = "ratio", .type = PropertyType::number, .minimum = 0, .maximum = 1, .fallback = 0.5},
}));
using Thing = ObjectOf<table>;

/// A text and the object that its root is.
struct Parsed {
  explicit Parsed(std::string source) : text(std::move(source)), json(*Json::parse(text, {}, 0, findings)), thing(json.root(), capped) {}

  [[nodiscard]] std::vector<std::string> found() const {
    std::vector<std::string> list;
    for (const Finding& finding : findings.list()) list.push_back(std::string(finding.code) + " " + finding.pointer);
    return list;
  }

  std::string text;
  FindingList findings;
  CappedSink capped{findings};
  Json json;
  Thing thing;
};

TEST(Object, GivesTheValues) {
  const Parsed p(
      R"({"size": 7, "name": "n", "color": "RED", "code": 3, "point": [1, 2.5], "links": [4, 0], "flag": false, "part": {}, "ratio": 1})");
  EXPECT_THAT(p.found(), IsEmpty());
  EXPECT_EQ(p.thing.defect(), nullptr);
  EXPECT_EQ(p.thing.integer("size"), 7u);
  EXPECT_EQ(p.thing.string("name"), "n");
  EXPECT_EQ(p.thing.word("color"), 0u);
  EXPECT_EQ(p.thing.integer("code"), 3u);
  EXPECT_THAT(p.thing.numbers("point"), ElementsAre(1, 2.5));
  EXPECT_FALSE(p.thing.boolean("flag"));
  EXPECT_TRUE(p.thing.has("part"));
  EXPECT_EQ(p.thing.number("ratio"), 1);
}

TEST(Object, GivesTheDefaultsOfWhatIsAbsent) {
  const Parsed p(R"({"size": 7})");
  EXPECT_THAT(p.found(), IsEmpty());
  EXPECT_EQ(p.thing.word("color"), 1u);
  EXPECT_EQ(p.thing.integer("code"), 5u);
  EXPECT_TRUE(p.thing.boolean("flag"));
  EXPECT_EQ(p.thing.number("ratio"), 0.5);
  EXPECT_FALSE(p.thing.index("links"));
}

TEST(Object, WrongTypesOfOptionalPropertiesCountAsAbsent) {
  const Parsed p(R"({"size": 1, "name": 3, "color": "BLUE", "code": 4, "point": [1], "links": {}, "flag": 0, "part": [], "ratio": "x"})");
  EXPECT_THAT(p.found(),
              ElementsAre("TYPE_MISMATCH /name", "VALUE_NOT_IN_LIST /color", "VALUE_NOT_IN_LIST /code", "ARRAY_LENGTH_NOT_IN_LIST /point",
                          "TYPE_MISMATCH /links", "TYPE_MISMATCH /flag", "TYPE_MISMATCH /part", "TYPE_MISMATCH /ratio"));
  EXPECT_EQ(p.thing.defect(), nullptr);
  EXPECT_EQ(p.thing.word("color"), 1u);
  EXPECT_EQ(p.thing.integer("code"), 5u);
  EXPECT_TRUE(p.thing.boolean("flag"));
  EXPECT_FALSE(p.thing.has("part"));
  EXPECT_THAT(p.thing.numbers("point"), IsEmpty());
}

TEST(Object, ARequiredPropertyThatIsMissingOrWrongIsADefect) {
  const Parsed missing("{}");
  EXPECT_THAT(missing.found(), ElementsAre("UNDEFINED_PROPERTY /"));
  ASSERT_NE(missing.thing.defect(), nullptr);
  const Parsed wrong(R"({"size": "7"})");
  EXPECT_THAT(wrong.found(), ElementsAre("TYPE_MISMATCH /size"));
  ASSERT_NE(wrong.thing.defect(), nullptr);
  EXPECT_EQ(wrong.thing.defect()->code, "TYPE_MISMATCH");
}

TEST(Object, WhatIsOutOfRangeIsRefusedOrKeptAsTheTableSays) {
  const Parsed kept(R"({"size": 0})");
  EXPECT_THAT(kept.found(), ElementsAre("VALUE_NOT_IN_RANGE /size"));
  EXPECT_EQ(kept.thing.defect(), nullptr);
  EXPECT_EQ(kept.thing.integer("size"), 0u);
  const Parsed negative(R"({"size": -1})");
  EXPECT_NE(negative.thing.defect(), nullptr);
  const Parsed refused(R"({"size": 1, "ratio": 2})");
  EXPECT_THAT(refused.found(), ElementsAre("VALUE_NOT_IN_RANGE /ratio"));
  ASSERT_NE(refused.thing.defect(), nullptr);
  EXPECT_EQ(refused.thing.defect()->pointer, "/ratio");
}

TEST(Object, OfAListOfIndicesOnlyTheWrongEntriesAreLost) {
  const Parsed wrong(R"({"size": 1, "links": [4, "x", 1.5, 2]})");
  EXPECT_THAT(wrong.found(), ElementsAre("INVALID_INDEX /links/1", "INVALID_INDEX /links/2"));
  EXPECT_EQ(wrong.thing.defect(), nullptr);
  EXPECT_EQ(wrong.thing["links"].size(), 4u);
  const Parsed negative(R"({"size": 1, "links": [-4]})");
  EXPECT_NE(negative.thing.defect(), nullptr);
}

TEST(Object, ReportsRepetitionsInSets) {
  EXPECT_THAT(Parsed(R"({"size": 1, "links": [4, 2, 4]})").found(), ElementsAre("DUPLICATE_ELEMENTS /links/2"));
}

TEST(Object, TheLastOfEqualKeysCounts) { EXPECT_EQ(Parsed(R"({"size": 1, "size": 2})").thing.integer("size"), 2u); }

TEST(Object, UnknownPropertiesAreReportedApart) {
  Parsed p(R"({"size": 1, "other": 2})");
  EXPECT_THAT(p.found(), IsEmpty());
  report_unknown(p.json.root(), table.rows, khronos_codes.unknown, p.capped);
  EXPECT_THAT(p.found(), ElementsAre("UNEXPECTED_PROPERTY /other"));
}

TEST(Object, UnknownPropertiesAreReportedFirstIfAskedFor) {
  const Parsed p(R"({"size": 1, "\u0061": 3, "flag": 0, "other": 2})");
  FindingList findings;
  CappedSink capped{findings};
  const Object object(p.json.root(), table.rows, khronos_codes, capped, Unknown::report);
  std::vector<std::string> found;
  for (const Finding& finding : findings.list()) found.push_back(finding.pointer);
  EXPECT_THAT(found, ElementsAre("/a", "/other", "/flag"));
}

TEST(Object, AnythingElseIsADefect) {
  for (const char* text : {"[]", "3", "null", "\"x\""}) {
    const Parsed p(text);
    EXPECT_THAT(p.found(), ElementsAre("TYPE_MISMATCH "));
    EXPECT_NE(p.thing.defect(), nullptr);
    EXPECT_FALSE(p.thing.has("size"));
  }
}

TEST(WholeNumber, IsExactAndNotNegative) {
  const auto of = [](std::string text) {
    FindingList findings;
    const auto json = *Json::parse(text, {}, 0, findings);
    return whole_number(json.root());
  };
  EXPECT_EQ(of("3"), 3u);
  EXPECT_EQ(of("3.0"), 3u);
  EXPECT_EQ(of("9007199254740993"), 9007199254740993u);
  for (const char* text : {"-1", "1.5", "1e300", "1e999", "-0.5", "\"3\"", "null", "[]"}) EXPECT_EQ(of(text), std::nullopt) << text;
}

}  // namespace
}  // namespace sinew::document::object_test
