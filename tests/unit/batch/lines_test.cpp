// SPDX-License-Identifier: MIT
// Lines per file, unchanged results, and combined results.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/guard.hpp"
#include "unit/document/files.hpp"

#include "sinew/batch.hpp"
#include "sinew/result.hpp"

namespace sinew::batch {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string line_of(std::size_t number, std::size_t total, Shard shard, Did did, int status, std::string_view result = "",
                    std::string_view key = "") {
  const Item item{fmt::format("m/{}.glb", number), fmt::format("{}.glb", number), number};
  Line line;
  line.command = "validate";
  line.item = &item;
  line.total = total;
  line.shard = shard;
  line.did = did;
  line.status = status;
  line.result = result;
  line.key = key;
  return need(to_json_line(line));
}

std::string report(std::uint64_t errors, std::uint64_t warnings) {
  return fmt::format(R"({{"issues":{{"numErrors":{},"numWarnings":{},"numInfos":0,"numHints":0,"messages":[],"truncated":false}}}})",
                     errors, warnings);
}

class Lines : public testing::Test {
 protected:
  CommandSummary summary_of(const std::string& text) {
    const auto read = summarize(std::vector<std::string>{files_.write("lines.jsonl", text).string()});
    EXPECT_TRUE(read) << read.error().line();
    whole_ = *read;
    return whole_.commands.at("validate");
  }
  document::Folder files_;
  Summary whole_;
};

TEST_F(Lines, OneObjectOnOneLine) {
  EXPECT_EQ(
      line_of(3, 9, {1, 2}, Did::checked, 0, R"({"a":1})", "k"),
      fmt::format(R"({{"command":"validate","version":"{}","uri":"m/3.glb","number":3,"files":9,"shard":"1/2","did":"checked","status":0,)"
                  R"("key":"k","result":{{"a":1}}}})"
                  "\n",
                  version()));
}

TEST_F(Lines, NamesThatAreNoTextStayOneLineOfJson) {
  const Item item{fs::path("a\"\n\xff.glb"), "x", 1};
  Line line;
  line.command = "validate";
  line.item = &item;
  line.error = Error{Failure::input, "IO_ERROR", Place{"a\n", std::nullopt, std::nullopt}, "gone\n"};
  const std::string text = need(to_json_line(line));
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  EXPECT_THAT(text, HasSubstr("a\\\"\\n\xEF\xBF\xBD.glb"));
  EXPECT_THAT(text, HasSubstr(R"("code":"IO_ERROR")"));
}

TEST_F(Lines, AWriterLeavesAWholeFileOrNone) {
  const fs::path path = files_.path() / "out.jsonl";
  {
    auto writer = LineWriter::create(path);
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->write("one\n"));
    EXPECT_FALSE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
  auto writer = LineWriter::create(path);
  ASSERT_TRUE(writer && writer->write("one\n") && writer->write("two\n") && writer->finish());
  EXPECT_EQ(fs::file_size(path), 8u);
  const auto nowhere = LineWriter::create(files_.path() / "missing" / "out.jsonl");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().failure, Failure::output);
}

TEST_F(Lines, SummariesDoNotDependOnTheDivision) {
  std::vector<std::string> one, three;
  for (std::size_t n = 1; n <= 6; ++n) {
    const std::string result = report(n == 4 ? 2 : 0, n == 5 ? 1 : 0);
    one.push_back(line_of(n, 6, {1, 1}, Did::checked, n == 4 ? 1 : 0, result));
    three.insert(three.begin(), line_of(n, 6, {(n - 1) % 3 + 1, 3}, Did::checked, n == 4 ? 1 : 0, result));
  }
  std::string text;
  for (const std::string& line : one) text += line;
  const CommandSummary whole = summary_of(text);
  const std::string wanted = need(to_json(whole_));
  EXPECT_TRUE(whole_.complete());
  EXPECT_FALSE(whole_.clean());
  EXPECT_EQ(whole.files, 6u);
  EXPECT_EQ(whole.results, 6u);
  EXPECT_THAT(whole.counts, ElementsAre(2, 1, 0, 0));
  ASSERT_THAT(whole.bad, SizeIs(1));
  EXPECT_EQ(whole.bad[0].number, 4u);
  text.clear();
  for (const std::string& line : three) text += line;
  summary_of(text);
  EXPECT_EQ(need(to_json(whole_)), wanted);
}

TEST_F(Lines, WhatIsMissingOrTwiceIsNamed) {
  const CommandSummary part =
      summary_of(line_of(1, 4, {1, 2}, Did::checked, 0, report(0, 0)) + line_of(3, 4, {1, 2}, Did::checked, 0, report(0, 0)) +
                 line_of(3, 4, {1, 2}, Did::checked, 0, report(0, 0)));
  EXPECT_FALSE(whole_.complete());
  EXPECT_EQ(part.results, 2u);
  ASSERT_THAT(part.duplicates, SizeIs(1));
  EXPECT_EQ(part.duplicates[0].number, 3u);
  EXPECT_EQ(part.duplicates[0].times, 2u);
  ASSERT_THAT(part.missing_shards, SizeIs(1));
  EXPECT_EQ(part.missing_shards[0].shard.index, 2u);
  EXPECT_EQ(part.missing_shards[0].missing, 2u);
}

TEST_F(Lines, AFailedTryAndItsRepetitionAreOneResult) {
  const CommandSummary done = summary_of(line_of(1, 1, {1, 1}, Did::checked, 0, report(0, 0)) + line_of(1, 1, {1, 1}, Did::failed, 3));
  EXPECT_TRUE(whole_.complete());
  EXPECT_THAT(done.duplicates, IsEmpty());
  EXPECT_THAT(done.did, ElementsAre(testing::Pair("checked", 1)));
}

TEST_F(Lines, BrokenLinesAreTold) {
  const std::string good = line_of(1, 1, {1, 1}, Did::checked, 0, report(0, 0));
  const CommandSummary kept = summary_of(good + "no JSON\n" + good.substr(0, 40) + "\n[]\n{}\n");
  EXPECT_EQ(kept.results, 1u);
  ASSERT_THAT(whole_.broken, SizeIs(4));
  EXPECT_EQ(whole_.broken[0].line, 2u);
  EXPECT_EQ(whole_.broken[3].line, 5u);
  const auto missing = summarize(std::vector<std::string>{(files_.path() / "missing").string()});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().failure, Failure::input);
}

TEST_F(Lines, KeysFollowTheBytesTheFilesBesideAndTheOptions) {
  const fs::path model = files_.write("m.gltf", R"({"asset":{"version":"2.0"},"buffers":[{"uri":"m.bin","byteLength":4}]})");
  const auto key = [&](std::string_view options = "") {
    const auto found = content_key(model, options, {});
    EXPECT_TRUE(found);
    return found.value_or("");
  };
  std::vector<std::string> keys{key()};
  EXPECT_THAT(keys[0], testing::MatchesRegex("[0-9a-f]{32}"));
  EXPECT_EQ(key(), keys[0]);
  keys.push_back(key("--strict"));
  files_.write("m.bin", "abcd");
  keys.push_back(key());
  files_.write("m.bin", "abce");
  keys.push_back(key());
  files_.write("m.gltf", R"({"asset":{"version":"2.0"},"buffers":[{"uri":"m.bin","byteLength":4}]} )");
  keys.push_back(key());
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
  const auto missing = content_key(files_.path() / "missing.glb", "", {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().failure, Failure::input);
}

TEST_F(Lines, ARecordHoldsAsLongAsInputAndOutputDo) {
  const fs::path output = files_.write("out.gltf", R"({"asset":{"version":"2.0"}})");
  EXPECT_FALSE(need(find_record(output, "from", {})));
  ASSERT_TRUE(save_record(output, "from", R"({"losses":[]})", {}, {}));
  const auto found = need(find_record(output, "from", {}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->result, R"({"losses":[]})");
  EXPECT_FALSE(need(find_record(output, "other", {})));
  files_.write("out.gltf", R"({"asset":{"version":"2.1"}})");
  EXPECT_FALSE(need(find_record(output, "from", {})));
}

TEST_F(Lines, EarlierResultsAreFoundByTheirKey) {
  const fs::path path = files_.write("lines.jsonl", line_of(1, 2, {1, 1}, Did::checked, 1, report(1, 0), "k1") + "rubbish\n" +
                                                        line_of(2, 2, {1, 1}, Did::checked, 0, report(0, 0)));
  const auto earlier = Earlier::read(path, "validate");
  ASSERT_TRUE(earlier);
  const auto* known = earlier->find("m/1.glb", "k1");
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->status, 1);
  EXPECT_EQ(known->result, report(1, 0));
  EXPECT_EQ(earlier->find("m/1.glb", "k2"), nullptr);
  EXPECT_EQ(earlier->find("m/2.glb", ""), nullptr);  // no key was requested
  EXPECT_EQ(Earlier::read(path, "info")->find("m/1.glb", "k1"), nullptr);
  EXPECT_TRUE(Earlier::read(files_.path() / "missing", "validate"));
}

}  // namespace
}  // namespace sinew::batch
