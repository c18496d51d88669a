// SPDX-License-Identifier: MIT
// Replaces any value of a valid file: reading neither crashes nor leaves an unmarked index out of range.
#include "unit/g4mf/builder.hpp"

namespace sinew::g4mf::test {
namespace {

const Json replacements[] = {nullptr, -1, 1e300, "x", Json::array(), Json::object(), 0, 1, 7, 9007199254740992, true};

void expect_safe(const Json& json, const std::string& what) {
  SCOPED_TRACE(what);
  How how;
  for (const bool force : {false, true}) {
    how.options.force = force;
    how.check = force;
    const Outcome outcome = read_text(json.dump(), how);
    if (outcome.model)
      expect_in_range(*outcome);
    else
      EXPECT_FALSE(outcome.model.error().message.empty());
  }
}

std::vector<Json::json_pointer> places(const Json& json) {
  std::vector<Json::json_pointer> list;
  const Json flat = json.flatten();  // items() does not keep it alive
  for (const auto& [pointer, value] : flat.items()) {
    Json::json_pointer place(pointer);
    for (; !place.empty(); place.pop_back())
      if (std::ranges::find(list, place) == list.end()) list.push_back(place);
  }
  return list;
}

class Mutation : public testing::TestWithParam<Builder (*)()> {};

TEST_P(Mutation, IsReadSafely) {
  const Json good = Json::parse(GetParam()().text());
  {
    const Outcome outcome = read_text(good.dump());
    ASSERT_TRUE(outcome.model);
    EXPECT_TRUE(outcome->defects.empty()) << outcome->defects.front().line();
    EXPECT_THAT(outcome.findings, testing::IsEmpty()) << outcome.findings.front().code;
    expect_in_range(*outcome);
  }
  std::size_t tried = 0;
  for (const Json::json_pointer& place : places(good)) {
    for (const Json& replacement : replacements) {
      Json broken = good;
      broken[place] = replacement;
      expect_safe(broken, place.to_string() + " = " + replacement.dump());
      ++tried;
    }
    Json broken = good;
    Json& parent = broken[place.parent_pointer()];
    if (parent.is_object())
      parent.erase(place.back());
    else
      parent.erase(std::stoul(place.back()));
    expect_safe(broken, "without " + place.to_string());
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tried, 200U);
}

// Every byte of the data replaced by ones that are out of every range, negative, or not finite.
TEST_P(Mutation, OfTheDataIsReadSafely) {
  const Builder good = GetParam()();
  for (std::size_t at = 0; at < good.bytes.size(); ++at)
    for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      Builder broken = good;
      broken.bytes[at] = static_cast<std::byte>(value);
      SCOPED_TRACE("byte " + std::to_string(at) + " = " + std::to_string(value));
      const Outcome outcome = broken.read();
      ASSERT_TRUE(outcome.model);
      expect_in_range(*outcome);
    }
}

Builder tetrahedra() { return simplex(4); }

INSTANTIATE_TEST_SUITE_P(Models, Mutation, testing::Values(&tetrahedra, &arm, &blended, &cube, &bound));

}  // namespace
}  // namespace sinew::g4mf::test
