// SPDX-License-Identifier: MIT
// Long texts are read in parts: their values, findings and errors are those of one thread.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <string_view>

#include "document/json/json.hpp"

namespace sinew::document {
namespace {

constexpr std::size_t long_enough = (std::size_t{1} << 20) + 100'000;

// Writes elements with commas between them until the text has `size` bytes.
std::string list_of(const std::function<std::string(std::size_t)>& element, std::size_t size = long_enough) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i) text += (i == 0 ? "" : ",") + element(i);
  return text;
}
std::string node(std::size_t i) {
  return fmt::format(R"({{"name":"node {0}","mesh":{0},"translation":[{1},-0.5,1e3],"extras":{{"on":true,"of":null,"deep":[[{{}}]]}}}})", i,
                     static_cast<double>(i) / 7);
}
const std::string nodes = list_of(node);
const std::string half = list_of(node, long_enough / 2);

const std::string some = list_of(node, long_enough / 5);

struct Case {
  std::string_view name;
  std::string text;
  std::uint32_t joined = 3;  ///< parts that began at a right guess
  Limits limits = {};
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

Limits limited(std::uint64_t Limits::* limit, std::uint64_t most) {
  Limits limits;
  limits.*limit = most;
  return limits;
}

/// Returns the place of the first difference. Without an assertion for each of a million values: those took most of the time.
std::optional<std::size_t> difference(JsonValue one, JsonValue two) {
  const auto differs = std::optional<std::size_t>(one.offset());
  if (one.kind() != two.kind() || one.offset() != two.offset() || one.size() != two.size() || one.text() != two.text() ||
      one.number() != two.number() || one.integer() != two.integer())
    return differs;
  if (one.kind() < JsonKind::array) return std::nullopt;
  if (one.offset() % 64 == 0 && one.pointer() != two.pointer()) return differs;
  const bool is_object = one.is(JsonKind::object);
  const Json &first = *one.json(), &second = *two.json();
  std::uint32_t id = first.below(one.id()), other = second.below(two.id());
  for (std::uint32_t i = 0; i < one.size() * (is_object ? 2 : 1); ++i, id = first.next(id), other = second.next(other))
    if (const auto found = difference({first, id}, {second, other})) return found;
  return other == second.next(two.id()) ? std::nullopt : differs;
}

/// Returns whether the tapes are the same: then so is all that is read from them and the text.
bool same_tapes(const Json& one, const Json& two) {
  if (one.size() != two.size()) return false;
  for (std::uint32_t id = 0; id < one.size(); ++id)
    if (one.entry(id).place != two.entry(id).place || one.entry(id).rest != two.entry(id).rest) return false;
  return true;
}

/// Returns how many parts were joined; nothing where both were refused.
std::optional<std::uint32_t> expect_same(const Case& text) {
  FindingList findings, other_findings;
  const auto one = Json::parse(text.text, text.limits, 12, findings, 1);
  const auto two = Json::parse(text.text, text.limits, 12, other_findings, 2);
  EXPECT_EQ(one.has_value(), two.has_value());
  if (!one || !two) {
    EXPECT_EQ(one ? "" : one.error().line(), two ? "" : two.error().line());
    return std::nullopt;
  }
  EXPECT_EQ(findings.list().size(), other_findings.list().size());
  for (std::size_t i = 0; i < std::min(findings.list().size(), other_findings.list().size()); ++i) {
    EXPECT_EQ(findings.list()[i].code, other_findings.list()[i].code);
    EXPECT_EQ(findings.list()[i].pointer, other_findings.list()[i].pointer);
    EXPECT_EQ(findings.list()[i].message, other_findings.list()[i].message);
  }
  if (!same_tapes(*one, *two)) {
    EXPECT_EQ(one->size(), two->size());
    EXPECT_EQ(difference(one->root(), two->root()), std::nullopt);
    ADD_FAILURE() << "the tapes differ";
  }
  EXPECT_EQ(one->joined(), 0);
  return two->joined();
}

TEST(LongJsonValues, AreTheSameForTwoThreads) {
  const std::string text = R"({"a":[)" + nodes + "]}";
  FindingList findings;
  const auto one = Json::parse(text, {}, 0, findings, 1), two = Json::parse(text, {}, 0, findings, 2);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(difference(one->root(), two->root()), std::nullopt);
}

class LongJson : public testing::TestWithParam<Case> {};

TEST_P(LongJson, IsTheSameForTwoThreads) { EXPECT_EQ(expect_same(GetParam()).value_or(0), GetParam().joined); }

INSTANTIATE_TEST_SUITE_P(
    Texts, LongJson,
    testing::Values(
        Case{"a list", R"({"nodes":[)" + nodes + "]}"}, Case{"spaces", " {\"nodes\" : [\n" + nodes + "\n] \n}\n"},
        Case{"spaces between elements", R"({"nodes":[)" + list_of([](std::size_t i) { return "\n  " + node(i) + "\n  "; }) + "]}"},
        Case{"two lists", R"({"a":[)" + half + R"(],"b":[)" + half + R"(],"c":7})"},
        Case{"many lists",
             R"({"a":[)" + some + R"(],"b":[)" + some + R"(],"c":1,"d":[)" + some + R"(],"e":[)" + some + R"(],"f":[)" + some + "]}"},
        Case{"lists after the split", R"({"a":[)" + nodes + R"(],"b":[{"c":[1]}],"d":{"e":[]},"f":[]})"},
        Case{"lists in objects", R"({"a":[)" + list_of([](std::size_t i) {
                                   return fmt::format(R"({{"primitives":[{{"a":{0}}},{{"b":{0}}},{{"c":[{{}},{{}}]}}]}})", i);
                                 }) + "]}"},
        Case{"one long list in an object", R"({"animations":[{"channels":[)" + nodes + "]}]}", 0},
        Case{"a list as root", "[" + nodes + "]", 0}, Case{"lists in a list", R"({"a":[[)" + nodes + "]]}", 0},
        Case{"a list in an object", R"({"extras":{"a":[)" + nodes + "]}}", 0},
        Case{"text like JSON", R"({"a":[")" + list_of([](std::size_t) { return R"({\"b\":[{},{}]})"; }) + R"("]})", 0},
        Case{"many numbers first", R"({"a":[)" + list_of([](std::size_t) { return "0"; }, long_enough / 2 - 1000) + "," + half + "]}", 2},
        Case{"many numbers at last", R"({"a":[)" + half + "," + list_of([](std::size_t) { return "0"; }, long_enough / 2 - 1000) + "]}", 2},
        Case{"no objects", R"({"a":[)" + list_of([](std::size_t i) { return std::to_string(i); }) + "]}", 0},
        Case{"empty ends", R"({"a":[)" + half + "," +
                               list_of([](std::size_t) { return R"({"a":"0123456789 123456789"})"; }, long_enough / 2) + ",{},[],0]}"}));

INSTANTIATE_TEST_SUITE_P(Findings, LongJson,
                         testing::Values(Case{"keys of both halves", R"({"a":1,"a":[)" + nodes + R"(],"a":2,"b":3,"b":4})"},
                                         Case{"a key of the first half again", R"({"x":1,"nodes":[)" + nodes + R"(],"x":[]})"},
                                         Case{"a key of each part again", R"({"a":[)" + some + R"(],"b":[)" + some + R"(],"a":[)" + some +
                                                                              R"(],"b":[)" + some + R"(],"a":[)" + some + "]}"},
                                         Case{"keys with escapes", R"({"b":0,"nodes":[)" + nodes + R"(],"\u0062":1})"},
                                         Case{"equal keys in elements", R"({"a":[{"k":1,"k":2},)" + nodes + R"(,{"k":1,"k":2}]})"},
                                         Case{"large numbers", R"({"a":[1e400,)" + nodes + ",-1e400]}"},
                                         Case{"surrogates", R"({"a":["\ud800",)" + nodes + R"(,"\udc00"]})"},
                                         Case{"more than reported", R"({"a":[1e400,1e401,)" + nodes + ",1e402,1e403]}", 3,
                                              limited(&Limits::findings, 3)},
                                         Case{"memory for one tape", R"({"a":[)" + nodes + "]}", 0, limited(&Limits::memory, 16'000'000)},
                                         Case{"zeros", R"({"a":[)" + nodes + std::string("]}\0\0\0", 5)},
                                         Case{"a mark", "\xEF\xBB\xBF{\"a\":[" + nodes + "]}"}));

INSTANTIATE_TEST_SUITE_P(
    Errors, LongJson,
    testing::Values(Case{"in the first element", R"({"a":[tru,)" + nodes + "]}", 0},
                    Case{"in the last element", R"({"a":[)" + nodes + ",tru]}", 0}, Case{"in both", R"({"a":[01,)" + nodes + ",01]}", 0},
                    Case{"no end", R"({"a":[)" + nodes, 0}, Case{"no end of the root", R"({"a":[)" + nodes + "]", 0},
                    Case{"another end", R"({"a":[)" + nodes + "]]", 0}, Case{"an end too many", R"({"a":[)" + nodes + "]}}", 0},
                    Case{"a wrong closer", R"({"a":[)" + nodes + "}]", 0}, Case{"no key", R"({"a":[)" + nodes + "],7}", 0},
                    Case{"a comma at the end", R"({"a":[)" + nodes + ",]}", 0},
                    Case{"no UTF-8 first", "{\"a\":[\"\xFF\"," + nodes + "]}", 0},
                    Case{"no UTF-8 at last", R"({"a":[)" + nodes + ",\"\xC3\"]}", 0},
                    Case{"no UTF-8 after an error", R"({"a":[tru,)" + nodes + ",\"\xC3\"]}", 0},
                    Case{"too deep first", R"({"a":[[[[[[[]]]]]],)" + nodes + "]}", 0, limited(&Limits::json_depth, 7)},
                    Case{"too deep at last", R"({"a":[)" + nodes + ",[[[[[[]]]]]]]}", 0, limited(&Limits::json_depth, 7)},
                    Case{"only the root", R"({"a":[)" + nodes + "]}", 0, limited(&Limits::json_depth, 1)},
                    Case{"little memory", R"({"a":[)" + nodes + "]}", 0, limited(&Limits::memory, 1'000'000)}));

TEST(LongJsonChanged, IsTheSameForTwoThreads) {
  std::mt19937 random(7);
  const std::string text = R"({"a":[)" + half + R"(],"nodes":[)" + half + R"(],"b":{"c":1}})";
  constexpr std::string_view bytes = "{}[]\",:0\\ \xFF";
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    std::string changed = text;
    const std::size_t at = i % 2 == 0 ? random() % text.size() : text.size() / 2 + random() % 400;
    changed[at] = bytes[random() % bytes.size()];
    SCOPED_TRACE(fmt::format("'{}' at {}", changed[at], at));
    refused += expect_same({"changed", changed}) ? 0 : 1;
  }
  EXPECT_GT(refused, 20);
  EXPECT_LT(refused, 60);
}

}  // namespace
}  // namespace sinew::document
