// SPDX-License-Identifier: MIT
#include "document/json/json_edit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "rapidcheck.h"

namespace sinew::document {
namespace {

using ::testing::ElementsAre;

/// A text and its parsed form, which must outlive everything made from it.
struct Source {
  std::string bytes;
  FindingList findings;
  Result<Json> json;
  explicit Source(std::string text, const Limits& limits = {}) : bytes(std::move(text)), json(Json::parse(bytes, limits, 0, findings)) {}
  [[nodiscard]] JsonEdit edit() const { return JsonEdit(json->root()); }
};

/// Opens every container as if it were edited.
void open_all(JsonEdit& value) {
  if (value.is(JsonKind::array))
    for (std::size_t i = 0; i < value.size(); ++i) open_all(value.at(i));
  else if (value.is(JsonKind::object))
    for (const std::string& key : value.keys()) open_all(*value.find(key));
}

constexpr const char* nasty = R"( {"a" : 123456789012345678901234567890 , "a": 1e400,
  "\u0062": "\ud800 \/", "e": [ ],	"x": [1.50, -0, {"deep": [null, true] }] }
)";

TEST(JsonEdit, WhatIsNotChangedStaysByteForByte) {
  const Source source(nasty);
  ASSERT_TRUE(source.json) << source.json.error().line();
  EXPECT_EQ(source.edit().text(), nasty);
  EXPECT_EQ(JsonEdit(source.json->root()["x"]).text(), R"([1.50, -0, {"deep": [null, true] }])");
}

TEST(JsonEdit, AChangeLeavesItsSurroundingsAsTheyWere) {
  const Source source(nasty);
  JsonEdit root = source.edit();
  root.find("x")->at(2).set("deep", JsonEdit::integer(7));
  root.set("new", JsonEdit::string("line\n\"2\""));
  EXPECT_EQ(root.text(), R"( {"a": 123456789012345678901234567890, "a": 1e400,
  "\u0062": "\ud800 \/", "e": [ ],	"x": [1.50, -0, {"deep": 7 }], "new": "line\n\"2\"" }
)");
}

TEST(JsonEdit, IndentationIsKept) {
  const Source source("{\n  \"nodes\": [\n    {\n      \"name\": \"a\"\n    },\n    {}\n  ]\n}\n");
  JsonEdit root = source.edit();
  root.find("nodes")->at(0).set("mesh", JsonEdit::integer(0));
  root.find("nodes")->push_back(JsonEdit::object()).set("name", JsonEdit::string("b"));
  root.set("extras", JsonEdit());
  EXPECT_EQ(root.text(),
            "{\n  \"nodes\": [\n    {\n      \"name\": \"a\",\n      \"mesh\": 0\n    },\n    {},\n    {\"name\":\"b\"}\n  ],\n"
            "  \"extras\": null\n}\n");
}

TEST(JsonEdit, SetRenameEraseAndAppendKeepTheOrder) {
  const Source source(R"({"one":1,"two":2,"three":3})");
  JsonEdit root = source.edit();
  root.set("two", JsonEdit::boolean(true));
  root.rename("one", "eins");
  root.rename("missing", "nothing");
  root.set("four", JsonEdit::number(0.25));
  EXPECT_EQ(root.text(), R"({"eins":1,"two":true,"three":3,"four":0.25})");
  EXPECT_THAT(root.keys(), ElementsAre("eins", "two", "three", "four"));
  root.rename("three", "two");
  EXPECT_EQ(root.text(), R"({"eins":1,"two":3,"four":0.25})") << "the renamed one takes the other's name, not its place";
  root.erase("eins");
  root.erase("missing");
  EXPECT_EQ(root.size(), 2u);
  EXPECT_EQ(root.text(), R"({"two":3,"four":0.25})");
  root.erase("two");
  root.erase("four");
  EXPECT_EQ(root.text(), "{}");
}

TEST(JsonEdit, ManyMembersAreFoundLikeFew) {
  std::string text = R"({"twice": 1)";
  for (int i = 0; i < 100; ++i) text += ",\"m" + std::to_string(i) + "\":" + std::to_string(i);
  text += R"(,"twice": 2})";
  const Source source(text);
  ASSERT_TRUE(source.json);
  JsonEdit edit = source.edit();
  EXPECT_EQ(edit.find("twice")->text(), "2");  // the last one counts
  EXPECT_EQ(edit.find("m100"), nullptr);
  edit.set("m7", JsonEdit::integer(70));
  edit.set("m100", JsonEdit::integer(100));
  edit.erase("m8");
  edit.rename("m9", "nine");
  JsonEdit copy = edit;
  copy.set("m7", JsonEdit::integer(71));
  for (const auto& [key, value] : {std::pair("m7", "70"), {"m100", "100"}, {"m10", "10"}, {"nine", "9"}, {"m99", "99"}}) {
    ASSERT_NE(edit.find(key), nullptr) << key;
    EXPECT_EQ(edit.find(key)->text(), value) << key;
  }
  EXPECT_EQ(edit.find("m8"), nullptr);
  EXPECT_EQ(edit.find("m9"), nullptr);
  EXPECT_EQ(copy.find("m7")->text(), "71");
}

TEST(JsonEdit, Arrays) {
  const Source source("[1, 2, [3, 4]]");
  JsonEdit root = source.edit();
  root.at(1) = JsonEdit::integer(-1);
  root.at(2).erase_at(0);
  root.push_back(JsonEdit::array()).push_back(JsonEdit::integer(~std::uint64_t{0}));
  EXPECT_EQ(root.text(), "[1, -1, [ 4], [18446744073709551615]]");
  EXPECT_EQ(root.size(), 4u);
  root.erase_at(3);
  EXPECT_EQ(root.text(), "[1, -1, [ 4]]");
}

TEST(JsonEdit, TheLastOfEqualKeysCounts) {
  const Source source(R"({"k":1,"x":0,"\u006B":2})");
  JsonEdit root = source.edit();
  EXPECT_EQ(root.find("k")->source().integer(), 2);
  root.set("k", JsonEdit::integer(3));
  EXPECT_EQ(root.text(), R"({"k":1,"x":0,"\u006B":3})");
  JsonEdit renamed = root;
  renamed.rename("k", "n");
  EXPECT_EQ(renamed.text(), R"({"n":1,"x":0,"n":3})") << "none of them keeps the old name";
  root.erase("k");
  EXPECT_EQ(root.text(), R"({"x":0})") << "none of them comes to life again";
}

TEST(JsonEdit, KindsSizesAndSources) {
  const Source source(R"({"o":{},"a":[1,2],"s":"x","n":-1,"t":true,"z":null})");
  JsonEdit root = source.edit();
  EXPECT_EQ(root.source().id(), 0u);
  const std::vector<JsonKind> kinds = {JsonKind::object, JsonKind::array,   JsonKind::string,
                                       JsonKind::number, JsonKind::boolean, JsonKind::null};
  std::vector<JsonKind> found;
  for (const std::string& key : root.keys()) found.push_back(root.find(key)->kind());
  EXPECT_EQ(found, kinds);
  EXPECT_FALSE(root.source()) << "opened: it may have been changed";
  EXPECT_EQ(root.find("a")->size(), 2u);
  EXPECT_TRUE(root.find("a")->source());
  EXPECT_EQ(root.find("s")->size(), 0u);
  EXPECT_EQ(root.find("none"), nullptr);
  EXPECT_EQ(root.find("a")->find("none"), nullptr);
  const std::vector<JsonKind> made = {JsonEdit::object().kind(),   JsonEdit::array().kind(),       JsonEdit::string("").kind(),
                                      JsonEdit::number(-1).kind(), JsonEdit::boolean(true).kind(), JsonEdit().kind()};
  EXPECT_EQ(made, kinds);
  EXPECT_EQ(JsonEdit(JsonValue()).text(), "null");
}

TEST(JsonEdit, CopiesAreIndependent) {
  const Source source(R"({"a":{"b":[1]}})");
  JsonEdit root = source.edit();
  root.find("a")->find("b")->push_back(JsonEdit::integer(2));
  JsonEdit copy = root;
  copy.find("a")->find("b")->push_back(JsonEdit::integer(3));
  root.find("a")->set("c", JsonEdit());
  EXPECT_EQ(root.text(), R"({"a":{"b":[1,2],"c":null}})");
  EXPECT_EQ(copy.text(), R"({"a":{"b":[1,2,3]}})");
  const JsonEdit before = root;
  root.find("a")->set("self", before);
  EXPECT_EQ(root.text(), R"({"a":{"b":[1,2],"c":null,"self":{"a":{"b":[1,2],"c":null}}}})");
}

TEST(JsonEdit, AValueFromElsewhereIsLaidOutAsANewOne) {
  const Source source("{\n  \"list\": [\n    1,\n    2\n  ],\n  \"o\": {\"x\": 9}\n}");
  const Source other("[\n\n\n  7]");
  JsonEdit root = source.edit();
  root.find("list")->push_back(JsonEdit(other.json->root().at(0)));
  root.find("list")->push_back(JsonEdit(source.json->root()["o"]["x"]));
  EXPECT_EQ(root.text(), "{\n  \"list\": [\n    1,\n    2,\n    7,\n    9\n  ],\n  \"o\": {\"x\": 9}\n}");
}

TEST(JsonEdit, DepthCostsNoStack) {
  constexpr std::uint32_t depth = 200000;
  Limits limits;
  limits.json_depth = depth;
  std::string text(depth, '[');
  text.append(depth, ']');
  const Source source(text, limits);
  ASSERT_TRUE(source.json) << source.json.error().line();
  JsonEdit root = source.edit();
  JsonEdit* level = &root;
  for (std::uint32_t i = 1; i < depth; ++i) level = &level->at(0);
  level->push_back(JsonEdit::integer(1));
  const std::string changed = root.text();
  EXPECT_EQ(changed.size(), text.size() + 1);
  EXPECT_EQ(changed[depth], '1');

  JsonEdit made;
  for (std::uint32_t i = 0; i < depth; ++i) {
    JsonEdit around = JsonEdit::object();
    around.set("", std::move(made));
    made = std::move(around);
  }
  JsonEdit copy = made;
  made = JsonEdit();
  EXPECT_EQ(copy.text().size(), depth * std::string_view("{\"\":}").size() + 4);
}

TEST(JsonEdit, WhatWasOpenedIsWrittenWithTheSameMeaning) {
  EXPECT_TRUE(rc::check("any members", [](const std::vector<std::string>& words, const std::vector<int>& numbers) {
    JsonEdit made = JsonEdit::object();
    JsonEdit& list = made.set("list", JsonEdit::array());
    for (const int number : numbers) list.push_back(JsonEdit::integer(number));
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::string word = words[i];
      std::replace_if(word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
      made.set(std::to_string(i), JsonEdit::string(word));
    }
    const Source source(made.text());
    RC_ASSERT(source.json.has_value());
    JsonEdit again = source.edit();
    open_all(again);
    RC_ASSERT(again.text() == made.text());
  }));
}

std::vector<std::filesystem::path> json_corpus() {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(SINEW_SHARED) / "conformance", none))
    if (const auto extension = entry.path().extension(); extension == ".gltf" || extension == ".json" || extension == ".g4tf")
      files.push_back(entry.path());
  return files;
}

TEST(JsonEdit, RealFilesRoundTripByteForByte) {
  const auto files = json_corpus();
  if (files.empty()) GTEST_SKIP() << "no conformance files in " SINEW_SHARED;
  std::size_t read = 0;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const Source source(std::string(std::istreambuf_iterator<char>(in), {}));
    if (!source.json) continue;
    ++read;
    std::string_view text = source.json->text();
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    EXPECT_EQ(source.edit().text(), text) << file;
    JsonEdit opened = source.edit();
    open_all(opened);
    const Source again(opened.text());
    EXPECT_TRUE(again.json) << file;
    EXPECT_LE(again.findings.list().size(), source.findings.list().size()) << file;
  }
  EXPECT_GT(read, 300u);
}

}  // namespace
}  // namespace sinew::document
