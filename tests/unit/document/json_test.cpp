// SPDX-License-Identifier: MIT
#include "document/json/json.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "document/json/json_text.hpp"
#include "rapidcheck.h"

namespace sinew::document {
namespace {

using ::testing::HasSubstr;
using namespace std::string_literals;

/// A text and its parsed form; the text does not move.
struct Parsed {
  std::unique_ptr<char[]> bytes;  // exactly as long as the text, so that sanitizers detect reads beyond it
  FindingList findings;
  Result<Json> json;

  explicit Parsed(std::string_view text, const Limits& limits = {}, std::uint64_t base_offset = 0)
      : bytes(std::make_unique_for_overwrite<char[]>(text.size())), json(Unexpected(Error{})) {
    std::memcpy(bytes.get(), text.data(), text.size());
    json = Json::parse({bytes.get(), text.size()}, limits, base_offset, findings);
  }
  [[nodiscard]] JsonValue root() const { return json->root(); }
  [[nodiscard]] const Finding& finding(std::size_t i) const { return findings.list().at(i); }
};

// ---- texts that are JSON

struct Good {
  std::string_view text;
  JsonKind kind;
  std::uint32_t size;
};
void PrintTo(const Good& good, std::ostream* out) { *out << good.text; }
class GoodJson : public testing::TestWithParam<Good> {};

TEST_P(GoodJson, IsReadWithItsKindSizeAndText) {
  const auto& [text, kind, size] = GetParam();
  const Parsed parsed(text);
  ASSERT_TRUE(parsed.json) << parsed.json.error().line();
  EXPECT_EQ(parsed.root().kind(), kind);
  EXPECT_EQ(parsed.root().size(), size);
  EXPECT_TRUE(parsed.findings.list().empty());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  EXPECT_EQ(parsed.root().offset(), first);
  EXPECT_EQ(parsed.root().text(), text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first));
}

INSTANTIATE_TEST_SUITE_P(
    Grammar, GoodJson,
    testing::Values(Good{"{}", JsonKind::object, 0}, Good{"[]", JsonKind::array, 0}, Good{" { } ", JsonKind::object, 0},
                    Good{"\t[\r\n]\n", JsonKind::array, 0}, Good{"null", JsonKind::null, 0}, Good{"true", JsonKind::boolean, 0},
                    Good{" false ", JsonKind::boolean, 0}, Good{"\"\"", JsonKind::string, 0}, Good{"\"a\"", JsonKind::string, 0},
                    Good{R"("\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00")", JsonKind::string, 0},
                    Good{"\"\x7F \xC3\xA9 \xF0\x9F\x98\x80\"", JsonKind::string, 0}, Good{"0", JsonKind::number, 0},
                    Good{"-0", JsonKind::number, 0}, Good{"-0.0e-0", JsonKind::number, 0}, Good{"10", JsonKind::number, 0},
                    Good{"1.5E+10", JsonKind::number, 0}, Good{"1e-400", JsonKind::number, 0},
                    Good{"123456789012345678901234567890", JsonKind::number, 0}, Good{"[1,2,3]", JsonKind::array, 3},
                    Good{"[[],{},[[]]]", JsonKind::array, 3}, Good{R"({"a":1,"b":[true,null]})", JsonKind::object, 2},
                    Good{"[\"]\",\"\\\"\"]", JsonKind::array, 2}, Good{R"({"":""})", JsonKind::object, 1}));

// ---- texts that are not JSON

struct Bad {
  std::string text;
  std::uint64_t offset;
  std::string_view expected;
};
void PrintTo(const Bad& bad, std::ostream* out) { *out << testing::PrintToString(bad.text); }
class BadJson : public testing::TestWithParam<Bad> {};

TEST_P(BadJson, IsRefusedAtTheByteThatDoesNotFit) {
  const auto& [text, offset, expected] = GetParam();
  const Parsed parsed(text, {}, 20);
  ASSERT_FALSE(parsed.json);
  const Error& error = parsed.json.error();
  EXPECT_EQ(error.code, "INVALID_JSON");
  EXPECT_EQ(error.failure, Failure::input);
  EXPECT_EQ(error.place.offset, offset + 20);
  EXPECT_EQ(error.place.pointer, "");
  EXPECT_THAT(error.message, HasSubstr(fmt::format("expected {}", expected)));
  if (offset >= text.size()) {
    EXPECT_THAT(error.message, HasSubstr("found the end of the text"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Structure, BadJson,
    testing::Values(Bad{"", 0, "a value"}, Bad{"  \n", 3, "a value"}, Bad{"{", 1, "a key or '}'"}, Bad{"[", 1, "a value or ']'"},
                    Bad{"}", 0, "a value"}, Bad{"]", 0, "a value"}, Bad{"{]", 1, "a key or '}'"}, Bad{"[}", 1, "a value or ']'"},
                    Bad{"[1}", 2, "',' or ']'"}, Bad{R"({"a":1])", 6, "',' or '}'"}, Bad{"[1,]", 3, "a value"},
                    Bad{"[,1]", 1, "a value or ']'"}, Bad{R"({"a":1,})", 7, "a key"}, Bad{R"({"a"})", 4, "':'"},
                    Bad{R"({"a" 1})", 5, "':'"}, Bad{R"({"a":})", 5, "a value"}, Bad{R"({"a"::1})", 5, "a value"},
                    Bad{R"({1:2})", 1, "a key or '}'"}, Bad{R"({a:2})", 1, "a key or '}'"}, Bad{"[1 2]", 3, "',' or ']'"},
                    Bad{R"(["a" "b"])", 5, "',' or ']'"}, Bad{R"(["a"b])", 4, "',' or ']'"}, Bad{"1 2", 2, "the end of the text"},
                    Bad{"{}{}", 2, "the end of the text"}, Bad{"{},", 2, "the end of the text"}, Bad{R"({"a":1)", 6, "',' or '}'"},
                    Bad{"[1,", 3, "a value"}, Bad{"// c\n1", 0, "a value"}, Bad{"[1]\\\"", 3, "the end of the text"},
                    Bad{"[\f1]", 1, "a value"}, Bad{"[1\x1A]", 2, "the end of the value"}, Bad{"[\xC2\xA0]", 1, "a value"}));

INSTANTIATE_TEST_SUITE_P(Scalars, BadJson,
                         testing::Values(Bad{"tru", 3, "true"}, Bad{"trUe", 2, "true"}, Bad{"truex", 4, "the end of the value"},
                                         Bad{"nul]", 3, "null"}, Bad{"[falsy]", 5, "false"}, Bad{"True", 0, "a value"},
                                         Bad{"NaN", 0, "a value"}, Bad{"Infinity", 0, "a value"}, Bad{"-", 1, "a digit"},
                                         Bad{"-a", 1, "a digit"}, Bad{"-Infinity", 1, "a digit"}, Bad{"+1", 0, "a value"},
                                         Bad{".5", 0, "a value"}, Bad{"1.", 2, "a digit"}, Bad{"1.e5", 2, "a digit"},
                                         Bad{"1e", 2, "a digit"}, Bad{"1e+", 3, "a digit"}, Bad{"01", 1, "no digit after a leading zero"},
                                         Bad{"-012", 2, "no digit after a leading zero"}, Bad{"00", 1, "no digit"},
                                         Bad{"0x10", 1, "the end of the value"}, Bad{"1_000", 1, "the end of the value"},
                                         Bad{"1\"a\"", 1, "the end of the value"}, Bad{"1e5.0", 3, "the end of the value"},
                                         Bad{"'a'", 0, "a value"}));

INSTANTIATE_TEST_SUITE_P(Strings, BadJson,
                         testing::Values(Bad{"\"", 1, "the closing quote"}, Bad{"\"abc", 4, "the closing quote"},
                                         Bad{"\"abc\\\"", 6, "the closing quote"}, Bad{"[\"a\nb\"]", 3, "no unescaped control character"},
                                         Bad{"\"\x01\"", 1, "no unescaped control character"},
                                         Bad{"\"a\0b\""s, 2, "no unescaped control character"}, Bad{R"("\x41")", 2, "one of"},
                                         Bad{R"("\")", 3, "the closing quote"}, Bad{R"("\u12")", 3, "four hexadecimal digits"},
                                         Bad{R"("\u12G4")", 3, "four hexadecimal digits"}, Bad{R"("\u+123")", 3, "four hexadecimal digits"},
                                         Bad{R"({"\q":1})", 3, "one of"}, Bad{R"(["a, 1])", 7, "the closing quote"}));

INSTANTIATE_TEST_SUITE_P(Utf8, BadJson,
                         testing::Values(Bad{"\"\xFF\"", 1, "UTF-8"}, Bad{"\"\xC0\x80\"", 1, "UTF-8"}, Bad{"\"\xED\xA0\x80\"", 1, "UTF-8"},
                                         Bad{"\"a\xE2\x82\"", 2, "UTF-8"}, Bad{"\"\xF4\x90\x80\x80\"", 1, "UTF-8"},
                                         Bad{"\"\xF0\x8F\x80\x80\"", 1, "UTF-8"}, Bad{"\"\xE0\x9F\x80\"", 1, "UTF-8"},
                                         Bad{"{\"\xC3\xA9\":1}\xC3", 8, "UTF-8"}, Bad{"\xFE\xFF{}", 0, "UTF-8"}));

TEST(Json, MessageNamesLineAndColumnAndWhatWasFound) {
  const Parsed parsed("{\n  \"a\": 1,\n  oops\n}");
  ASSERT_FALSE(parsed.json);
  EXPECT_EQ(parsed.json.error().message, "line 3, column 3 of the JSON text: found 'o', expected a key");
}

// ---- findings that do not end reading

TEST(Json, ByteOrderMarkIsAFindingAndSkipped) {
  const Parsed parsed("\xEF\xBB\xBF{\"a\":1}");
  ASSERT_TRUE(parsed.json);
  ASSERT_EQ(parsed.findings.list().size(), 1u);
  EXPECT_EQ(parsed.finding(0).code, "INVALID_JSON");
  EXPECT_EQ(parsed.finding(0).pointer, "");
  EXPECT_EQ(parsed.root().offset(), 3u);
  EXPECT_EQ(parsed.root()["a"].offset(), 8u);
  EXPECT_EQ(parsed.root()["a"].integer(), 1);
}

TEST(Json, ZerosAfterTheTextAreAFindingAndSkipped) {
  const Parsed parsed("{}\0\0"s);
  ASSERT_TRUE(parsed.json);
  ASSERT_EQ(parsed.findings.list().size(), 1u);
  EXPECT_EQ(parsed.finding(0).code, "INVALID_JSON");
  EXPECT_EQ(parsed.finding(0).message, "line 1, column 3 of the JSON text: found byte 0x00, expected the end of the text or white space");
}

TEST(Json, NumbersBeyondDoubleAreFindingsAtTheirPlace) {
  const Parsed parsed("[1e400, 1, -1e309, 1" + std::string(320, '0') + ", 0.00001e313, 1e308, 1e-400, -1e-999999999999999999999, 0e999]");
  ASSERT_TRUE(parsed.json);
  std::vector<std::string> pointers;
  for (const Finding& found : parsed.findings.list()) {
    EXPECT_EQ(found.code, "SINEW_JSON_NUMBER_TOO_LARGE");
    pointers.push_back(found.pointer);
  }
  EXPECT_THAT(pointers, testing::ElementsAre("/0", "/2", "/3"));
  EXPECT_EQ(parsed.root().at(0).number(), std::nullopt);
  EXPECT_EQ(parsed.root().at(0).text(), "1e400");
  EXPECT_EQ(parsed.root().at(4).number(), 1e308);
  EXPECT_EQ(parsed.root().at(6).number(), 0.0);
  EXPECT_EQ(parsed.root().at(7).number(), 0.0);
  EXPECT_TRUE(std::signbit(*parsed.root().at(7).number()));
  EXPECT_EQ(parsed.root().at(8).number(), 0.0);
}

TEST(Json, LoneSurrogatesAreFindingsAndBecomeReplacementCharacters) {
  const Parsed parsed(R"({"a":"x\uD800y","b":"\uDC00","c":"\uD800\uD83D\uDE00","\uDFFF":1})");
  ASSERT_TRUE(parsed.json);
  std::vector<std::string> pointers;
  for (const Finding& found : parsed.findings.list()) {
    EXPECT_EQ(found.code, "SINEW_JSON_LONE_SURROGATE");
    pointers.push_back(found.pointer);
  }
  EXPECT_THAT(pointers, testing::ElementsAre("/a", "/b", "/c", "/\xEF\xBF\xBD"));
  EXPECT_EQ(parsed.root()["a"].string(), "x\xEF\xBF\xBDy");
  EXPECT_EQ(parsed.root()["c"].string(), "\xEF\xBF\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(parsed.root()["a"].text(), R"("x\uD800y")");
}

TEST(Json, OfDuplicateKeysTheLastCountsAndIsNamed) {
  const Parsed parsed(R"([{"key":1,"other":2,"key":3,"\u006bey":4}, {"key":5}])");
  ASSERT_TRUE(parsed.json);
  ASSERT_EQ(parsed.findings.list().size(), 2u);
  EXPECT_EQ(parsed.finding(0).code, "SINEW_JSON_DUPLICATE_KEY");
  EXPECT_EQ(parsed.finding(0).pointer, "/0/key");
  EXPECT_THAT(parsed.finding(0).message, HasSubstr("the key \"key\""));
  EXPECT_THAT(parsed.finding(1).message, HasSubstr(R"(the key "\u006bey")"));
  EXPECT_EQ(parsed.root().at(0)["key"].integer(), 4);
  EXPECT_EQ(parsed.root().at(0).size(), 4u);
}

TEST(Json, KeysThatDifferOnlyInTheirEscapesAreDuplicates) {
  const Parsed parsed(R"({"key":1,"\u006bey":2})");
  ASSERT_EQ(parsed.findings.list().size(), 1u);
  EXPECT_EQ(parsed.finding(0).pointer, "/key");
}

TEST(Json, DuplicateIsFoundAmongManyKeysInNearlyLinearTime) {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i) text += fmt::format("\"a common prefix {}\":0,", i);
  text += "\"a common prefix 77\":1}";
  const auto before = std::chrono::steady_clock::now();
  const Parsed parsed(text);
  // Comparing all pairs would take 2·10^10 comparisons, minutes; the bound is loose enough for any sanitizer.
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10));
  ASSERT_EQ(parsed.findings.list().size(), 1u);
  EXPECT_EQ(parsed.finding(0).pointer, "/a common prefix 77");
}

TEST(Json, FindingsAreCappedAndTheRestCounted) {
  std::string text = "[1e999";
  for (int i = 0; i < 10049; ++i) text += ",1e999";
  const Parsed parsed(text + "]");
  ASSERT_EQ(parsed.findings.list().size(), 10001u);
  EXPECT_EQ(parsed.finding(9999).pointer, "/9999");
  EXPECT_EQ(parsed.finding(10000).code, "SINEW_FINDINGS_DROPPED");
  EXPECT_THAT(parsed.finding(10000).message, HasSubstr("50 more"));
}

// ---- values

TEST(Json, IntegersOfEveryLengthWhateverFollowsThem) {
  for (std::int64_t value = 0; value < 999'999'999'999; value = value * 10 + 9)
    for (const std::string after : {"]", " ]", ", 1234567890]", "    \n     ]"}) {
      EXPECT_EQ(Parsed(fmt::format("[{}{}", value, after)).root().at(0).integer(), value);
      EXPECT_EQ(Parsed(fmt::format("[-{}{}", value, after)).root().at(0).integer(), -value);
      EXPECT_EQ(Parsed(fmt::format("[{}.0{}", value, after)).root().at(0).integer(), std::nullopt);
    }
}

TEST(Json, NumbersAndIntegers) {
  const Parsed parsed("[0, -0, 1, 1.0, 1e2, 9223372036854775807, 9223372036854775808, 123456789012345678901234567890, 0.1, \"1\"]");
  const auto at = [&](std::uint32_t i) { return parsed.root().at(i); };
  EXPECT_EQ(at(0).integer(), 0);
  EXPECT_EQ(at(1).integer(), 0);
  EXPECT_TRUE(std::signbit(*at(1).number()));
  EXPECT_EQ(at(2).integer(), 1);
  EXPECT_EQ(at(3).integer(), std::nullopt);
  EXPECT_EQ(at(3).number(), 1.0);
  EXPECT_EQ(at(4).integer(), std::nullopt);
  EXPECT_EQ(at(4).number(), 100.0);
  EXPECT_EQ(at(5).integer(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(at(6).integer(), std::nullopt);
  EXPECT_EQ(at(6).number(), 9223372036854775808.0);
  EXPECT_EQ(at(7).number(), 123456789012345678901234567890.0);
  EXPECT_EQ(at(7).text(), "123456789012345678901234567890");
  EXPECT_EQ(at(8).number(), 0.1);
  EXPECT_EQ(at(9).number(), std::nullopt);
  EXPECT_EQ(at(9).integer(), std::nullopt);
  EXPECT_TRUE(parsed.findings.list().empty());
}

TEST(Json, EveryValueHasItsPointerOffsetAndText) {
  const std::string_view text = R"({"a/b": [10, {"m~n": "x"}], "\u00e9": null, "c": [], "": {"d": true}})";
  const Parsed parsed(text);
  const auto expect = [&](const JsonValue& value, std::string_view pointer, std::string_view slice) {
    EXPECT_EQ(value.pointer(), pointer);
    EXPECT_EQ(value.text(), slice);
    EXPECT_EQ(text.substr(value.offset(), slice.size()), slice);
  };
  const JsonValue root = parsed.root();
  expect(root, "", text);
  expect(root["a/b"], "/a~1b", R"([10, {"m~n": "x"}])");
  expect(root["a/b"].at(0), "/a~1b/0", "10");
  expect(root["a/b"].at(1), "/a~1b/1", R"({"m~n": "x"})");
  expect(root["a/b"].at(1)["m~n"], "/a~1b/1/m~0n", "\"x\"");
  expect(root["\xC3\xA9"], "/\xC3\xA9", "null");
  expect(root["c"], "/c", "[]");
  expect(root[""], "/", R"({"d": true})");
  expect(root[""]["d"], "//d", "true");
}

TEST(Json, ChildrenComeInTextOrder) {
  const Parsed parsed(R"({"a":[1,[2],3],"b":{},"c":"x"})");
  std::string seen;
  for (const JsonMember member : parsed.root().members()) seen += fmt::format("{}={};", member.key.string(), member.value.text());
  EXPECT_EQ(seen, "a=[1,[2],3];b={};c=\"x\";");
  seen.clear();
  for (const JsonValue value : parsed.root()["a"].elements()) seen += std::string(value.text()) + ";";
  EXPECT_EQ(seen, "1;[2];3;");
  for (const JsonMember member : parsed.root()["a"].members()) ADD_FAILURE() << member.key.text();
  for (const JsonValue value : parsed.root().elements()) ADD_FAILURE() << value.text();
}

TEST(Json, QuestionsToTheWrongKindGetEmptyAnswers) {
  const Parsed parsed(R"({"a":[true,"s"]})");
  const JsonValue missing = parsed.root()["nothing"]["deeper"].at(3);
  EXPECT_FALSE(missing);
  EXPECT_EQ(missing.kind(), JsonKind::missing);
  EXPECT_EQ(missing.size(), 0u);
  EXPECT_EQ(missing.text(), "");
  EXPECT_EQ(missing.pointer(), "");
  EXPECT_EQ(missing.number(), std::nullopt);
  EXPECT_EQ(missing.boolean(), std::nullopt);
  EXPECT_EQ(missing.string(), "");
  EXPECT_FALSE(missing.equals(""));
  EXPECT_FALSE(parsed.root()["a"].at(2));
  EXPECT_FALSE(parsed.root()["a"]["0"]);
  EXPECT_FALSE(parsed.root().at(0));
  EXPECT_EQ(parsed.root()["a"].at(0).boolean(), true);
  EXPECT_EQ(parsed.root()["a"].at(1).boolean(), std::nullopt);
}

TEST(Json, EscapesInStringsAndKeys) {
  const Parsed parsed(R"({"a\"b":"\"\\\/\b\f\n\r\t\u0000\u00e9\u20AC\uD83D\uDE00"})");
  const JsonValue value = parsed.root()["a\"b"];
  EXPECT_EQ(value.string(), "\"\\/\b\f\n\r\t\0\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"s);
  EXPECT_TRUE(value.equals("\"\\/\b\f\n\r\t\0\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"s));
  EXPECT_FALSE(value.equals("\""));
  EXPECT_EQ(value.pointer(), "/a\"b");
  EXPECT_EQ(escape_pointer("a/b~c~1"), "a~1b~0c~01");
}

// ---- limits and memory

TEST(Json, NestingUpToTheLimitAndNoFurther) {
  Limits limits;
  limits.json_depth = 1000;
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  const Parsed fits(nested(1000), limits);
  ASSERT_TRUE(fits.json);
  EXPECT_EQ(fits.json->size(), 2000u);
  const Parsed beyond(nested(1001), limits);
  ASSERT_FALSE(beyond.json);
  EXPECT_EQ(beyond.json.error().failure, Failure::limit);
  EXPECT_EQ(beyond.json.error().place.offset, 1000u);
  EXPECT_THAT(beyond.json.error().message, HasSubstr("--limit json_depth=N"));
  EXPECT_EQ(Parsed(std::string(1000000, '{')).json.error().failure, Failure::input) << "a key is wanted first";
  EXPECT_EQ(Parsed(std::string(1000000, '[')).json.error().failure, Failure::limit);
}

TEST(Json, SizeAndMemoryLimits) {
  Limits limits;
  limits.json_size = 4;
  EXPECT_TRUE(Parsed("[10]", limits).json);
  const Parsed long_text("[100]", limits);
  ASSERT_FALSE(long_text.json);
  EXPECT_EQ(long_text.json.error().failure, Failure::limit);
  limits = {};
  limits.memory = 80;
  const Parsed large(R"([1,2,3,4,5,6,7,8,9,10,11,12])", limits);
  ASSERT_FALSE(large.json);
  EXPECT_EQ(large.json.error().code, "SINEW_MEMORY_LIMIT");
}

// A tape is four times as large as a text of digits and commas, so it must not be allocated beyond the limit.
TEST(Json, TheTapeStaysWithinTheMemory) {
  std::string text = "[0";
  for (int i = 0; i < 8 << 20; ++i) text += ",0";
  text += ']';
  Limits limits;
  limits.memory = 25 << 20;
  const auto peak = [] {
    ::rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
  };
  const auto before = peak();
  FindingList findings;
  const auto commas = Json::parse(text, limits, 0, findings);  // not by Parsed, which copies the text
  ASSERT_FALSE(commas);
  EXPECT_EQ(commas.error().code, "SINEW_MEMORY_LIMIT");
  EXPECT_LT(peak() - before, 25 << 10) << "KiB";
}

TEST(Json, ReadsNothingBehindTheText) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  auto* pages = static_cast<char*>(::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(static_cast<void*>(pages), MAP_FAILED);
  ASSERT_EQ(::mprotect(pages + page, page, PROT_NONE), 0);
  for (std::size_t length = 2; length <= 300; ++length) {
    std::string text = fmt::format("[{}]", std::string(length - 2, '1'));
    char* begin = pages + page - text.size();
    std::memcpy(begin, text.data(), text.size());
    FindingList findings;
    EXPECT_TRUE(Json::parse({begin, text.size()}, {}, 0, findings));
    begin[text.size() - 1] = '"';  // now an unclosed string
    EXPECT_FALSE(Json::parse({begin, text.size()}, {}, 0, findings));
  }
  ::munmap(pages, 2 * page);
}

// ---- any text

std::string some_json(int depth) {
  const int choice = *rc::gen::inRange(0, depth > 0 ? 7 : 5);
  const auto list = [&](char open, char close, bool keys) {
    std::string text(1, open);
    const int count = *rc::gen::inRange(0, 5);
    for (int i = 0; i < count; ++i) {
      if (i > 0) text += ", ";
      if (keys) text += fmt::format("\"k{}\":", i);
      text += some_json(depth - 1);
    }
    return text + close;
  };
  switch (choice) {
    case 0:
      return "null";
    case 1:
      return *rc::gen::element("true"s, "false"s);
    case 2:
      return std::to_string(*rc::gen::arbitrary<int>());
    case 3:
      return std::to_string(*rc::gen::arbitrary<float>() / 3) == "nan" ? "0.5" : "-1.25e-3";
    case 4:
      return *rc::gen::element("\"\""s, "\"a\\\\\""s, "\"\\\"{[\""s, "\"\\u00e9\""s);
    case 5:
      return list('[', ']', false);
    default:
      return list('{', '}', true);
  }
}

TEST(Json, ChildrenOfAnyTextPartitionItsTape) {
  EXPECT_TRUE(rc::check("next, size, offset and end fit together", [] {
    const std::string text = some_json(4);
    const Parsed parsed(text);
    RC_ASSERT(parsed.json.has_value());
    const Json& json = *parsed.json;
    RC_ASSERT(json.next(0) == json.size());
    for (std::uint32_t id = 0; id < json.size(); id = json.below(id)) {
      const JsonValue value(*parsed.json, id);
      std::uint32_t children = 0;
      std::uint32_t last = json.below(id);
      for (const JsonMember member : value.members()) {
        ++children;
        last = json.next(member.value.id());
        RC_ASSERT(json.end(member.value.id()) < json.end(id));
      }
      for (const JsonValue element : value.elements()) {
        ++children;
        last = json.next(element.id());
        RC_ASSERT(json.entry(element.id()).place > json.entry(id).place);
      }
      RC_ASSERT(children == value.size());
      RC_ASSERT(last == json.next(id));
    }
  }));
}

// Walks down, builds the pointer of each value itself, and returns the number of values with another pointer.
int disagreeing_pointers(JsonValue value, const std::string& pointer) {
  int count = value.pointer() != pointer;
  for (const JsonMember member : value.members()) {
    const std::string below = pointer + "/" + escape_pointer(member.key.string());
    count += (member.key.pointer() != below) + disagreeing_pointers(member.value, below);
  }
  int index = 0;
  for (const JsonValue element : value.elements()) count += disagreeing_pointers(element, fmt::format("{}/{}", pointer, index++));
  return count;
}

TEST(Json, PointersLeadToTheirValues) {
  EXPECT_TRUE(rc::check("walking down meets every value at its pointer", [] {
    const std::string text = some_json(4);
    const Parsed parsed(text);
    RC_ASSERT(disagreeing_pointers(parsed.json->root(), "") == 0);
    for (int asked = 0; asked < 20; ++asked) (void)parsed.json->root().pointer();  // the first ones are walked, later ones looked up
    RC_ASSERT(disagreeing_pointers(parsed.json->root(), "") == 0);
  }));
}

TEST(Json, MembersAreFoundByTheirWholeNames) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  for (std::size_t length = 0; length < 20; ++length) {
    const std::string name = letters.substr(0, length);
    const Parsed parsed(fmt::format(R"({{"{}":1}})", name));
    EXPECT_TRUE(parsed.root()[name]) << name;
    EXPECT_FALSE(parsed.root()[letters.substr(0, length + 1)]) << name;
    for (std::size_t at = 0; at < length; ++at) {
      std::string other = name;
      other[at] = 'A';
      EXPECT_FALSE(parsed.root()[other]) << name << " " << other;
    }
  }
}

TEST(Json, EveryTruncationIsAnError) {
  const std::string_view text = R"({"asset":{"version":"2.0"},"nodes":[{"name":"a\u00e9\"","matrix":[1,-2.5e3,null,true,false]}]})";
  ASSERT_TRUE(Parsed(text).json);
  for (std::size_t length = 0; length < text.size(); ++length) EXPECT_FALSE(Parsed(text.substr(0, length)).json) << length;
}

TEST(Json, NoChangedByteIsReadAmiss) {
  const std::string text = R"({"a":[1,-2.5e3,null,true],"b":{"c":"x\u00e9\ny","d":[]},"e":""})";
  int sound = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[at] = static_cast<char>(byte);
      const Parsed parsed(changed);
      if (!parsed.json) {
        EXPECT_LE(parsed.json.error().place.offset.value_or(9999), changed.size());
        continue;
      }
      ++sound;
      for (std::uint32_t id = 0; id < parsed.json->size(); id = parsed.json->below(id)) (void)JsonValue(*parsed.json, id).pointer();
    }
  EXPECT_GT(sound, 1000);
}

}  // namespace
}  // namespace sinew::document
