// SPDX-License-Identifier: MIT
#include "validate/positions.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "document/json/json.hpp"
#include "document/json/text_positions.hpp"

namespace sinew::validate::test {
namespace {

using document::Json;
using document::JsonMember;
using document::JsonValue;

std::shared_ptr<const document::Document> open_text(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("sinew-positions-" + std::to_string(::getpid()) + ".gltf");
  std::ofstream(path, std::ios::binary) << text;
  FindingList ignored;
  auto document = document::open(path, {{}, nullptr, FileAccess::copy}, ignored);
  std::filesystem::remove(path);
  return *document;
}

std::vector<Finding> at(const std::vector<std::string>& pointers) {
  std::vector<Finding> list;
  for (const std::string& pointer : pointers) list.push_back({"TYPE_MISMATCH", Severity::error, pointer, std::nullopt, ""});
  return list;
}

TEST(Positions, CountLinesAndCharacters) {
  document::TextPositions positions("a\nbå€\U0001F600c\r\n\nd");
  EXPECT_EQ(positions.of(0), (Position{1, 1, {}}));
  EXPECT_EQ(positions.of(1), (Position{1, 2, {}}));
  EXPECT_EQ(positions.of(2), (Position{2, 1, {}}));
  EXPECT_EQ(positions.of(3), (Position{2, 2, {}}));
  EXPECT_EQ(positions.of(12), (Position{2, 5, {}}));
  EXPECT_EQ(positions.of(16), (Position{4, 1, {}}));
  EXPECT_EQ(positions.of(99), (Position{4, 2, {}}));
}

TEST(Positions, OfValuesInAnyOrder) {
  const auto document =
      open_text("{\"a\": [10, 11,\n [12]], \"a-b\": 2, \"\": {\"~/\": 3}, \"a\\u002fb\": 4,\n\"list\":[0,1,2,3,4,5,6,7,8,9,10,11]}");
  auto list = at({"/list/11", "/a/2/0", "/", "", "/a-b", "/a", "//~0~1", "/a~1b", "/list/2", "/a/1", "/a", "/list/10"});
  locate(*document, list);
  const std::vector<std::uint64_t> bytes = {94, 17, 0, 0, 30, 6, 44, 60, 75, 11, 6, 91};
  for (std::size_t i = 0; i < list.size(); ++i) {
    ASSERT_TRUE(list[i].position);
    EXPECT_EQ(list[i].position->byte, bytes[i]) << list[i].pointer;
  }
  EXPECT_EQ(list[1].position->line, 2u);
  EXPECT_EQ(list[1].position->column, 3u);
}

TEST(Positions, WhereNothingIsThereTheNearestAboveCounts) {
  const auto document = open_text(R"({"a": [10], "b": 2})");
  auto list = at({"/a/7", "/a/x", "/a/01", "/b/c/d", "/c", "no pointer", "/a/99999999999999999999"});
  locate(*document, list);
  const std::vector<std::uint64_t> bytes = {6, 6, 6, 17, 0, 0, 6};
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(list[i].position->byte, bytes[i]) << list[i].pointer;
}

TEST(Positions, AKnownOneStaysAndAnOffsetInTheTextHasALine) {
  const auto document = open_text("{\n\"a\": 1}");
  auto list = at({"/a", ""});
  list[0].position = Position{7, 7, 7};
  list[1].offset = 7;
  list.push_back({"TYPE_MISMATCH", Severity::error, {}, 100, ""});
  locate(*document, list);
  EXPECT_EQ(list[0].position, (Position{7, 7, 7}));
  EXPECT_EQ(list[1].position, (Position{2, 6, 7}));
  EXPECT_FALSE(list[2].position);
}

void collect(JsonValue value, std::vector<std::pair<std::string, std::uint32_t>>& all) {
  all.emplace_back(value.pointer(), value.offset());
  for (const JsonMember member : value.members()) collect(member.value, all);
  for (const JsonValue element : value.elements()) collect(element, all);
}

TEST(Positions, EveryValueOfASampleIsWhereItsPointerSays) {
  std::size_t values = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(SINEW_SOURCE_DIR) / "samples")) {
    if (entry.path().extension() != ".gltf" && entry.path().extension() != ".g4tf") continue;
    FindingList ignored;
    const auto document = document::open(entry.path(), {}, ignored);
    ASSERT_TRUE(document);
    std::vector<std::pair<std::string, std::uint32_t>> all;
    collect((*document)->json().root(), all);
    std::vector<Finding> list;
    for (const auto& [pointer, offset] : all) list.push_back({"TYPE_MISMATCH", Severity::error, pointer, std::nullopt, ""});
    std::reverse(list.begin(), list.end());
    locate(**document, list);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [pointer, offset] = all[all.size() - 1 - i];
      ASSERT_EQ(list[i].position->byte, offset) << pointer;
    }
    values += all.size();
  }
  EXPECT_GT(values, 1000u);
}

}  // namespace
}  // namespace sinew::validate::test
