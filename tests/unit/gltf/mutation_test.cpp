// SPDX-License-Identifier: MIT
// Replaces any value of a valid file: reading neither crashes nor leaves an unmarked index out of range. A file without errors in the check
// is read without a defect.
#include <algorithm>

#include "unit/gltf/builder.hpp"

namespace sinew::gltf::test {
namespace {

const Json replacements[] = {nullptr, -1, 1e300, "x", Json::array(), Json::object(), 0, 7, 9007199254740992, true};

void expect_safe(const Json& json, const std::string& what) {
  SCOPED_TRACE(what);
  const std::string text = json.dump();
  const Outcome outcome = read_text(text);
  const std::vector<Finding> checked = check_text(text);
  if (std::ranges::none_of(checked, [](const Finding& finding) { return finding.severity == Severity::error; })) {
    EXPECT_TRUE(outcome.model);
    // A buffer may have no data: then only that buffer is unusable.
    if (outcome.model && !outcome->defects.empty() && outcome->defects.front().code != "GLTF_BUFFER_WITHOUT_DATA")
      ADD_FAILURE() << "checked without an error, but: " << outcome->defects.front().line();
  }
  if (outcome.model)
    expect_in_range(*outcome);
  else
    EXPECT_FALSE(outcome.model.error().message.empty());
}

void add_places(const Json& json, const Json::json_pointer& place, std::vector<Json::json_pointer>& list) {
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    list.push_back(json.is_object() ? place / key : place / std::stoul(key));
    add_places(value, Json::json_pointer(list.back()), list);
  }
}

class Mutation : public testing::TestWithParam<Builder (*)()> {};

TEST_P(Mutation, IsReadSafely) {
  const Json good = Json::parse(GetParam()().text());
  {
    const Outcome outcome = read_text(good.dump());
    ASSERT_TRUE(outcome.model);
    EXPECT_TRUE(outcome->defects.empty()) << outcome->defects.front().line();
    expect_in_range(*outcome);
  }
  std::size_t tried = 0;
  std::vector<Json::json_pointer> places;
  add_places(good, Json::json_pointer(), places);
  for (const Json::json_pointer& place : places) {
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
  EXPECT_GT(tried, 200u);
}

INSTANTIATE_TEST_SUITE_P(Models, Mutation, testing::Values(&triangle, &skinned, &animated, &everything));

TEST(Truncation, OfTheTextOrTheDataIsReadSafely) {
  const std::string whole = everything().glb();
  std::size_t read = 0;
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    const Outcome outcome = read_text(whole.substr(0, size), {}, "model.glb");
    if (outcome.model) expect_in_range(*outcome);
    read += outcome.model.has_value() ? 1 : 0;
  }
  EXPECT_GT(read, 0u);  // a cut in the data leaves the text complete
  EXPECT_LT(read, whole.size() / 7);
}

}  // namespace
}  // namespace sinew::gltf::test
