// SPDX-License-Identifier: MIT
#include "validate/positions.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "document/json/json.hpp"
#include "document/json/text_positions.hpp"

namespace sinew::validate {

namespace {

using document::Json;
using document::JsonKind;
using document::JsonMember;
using document::JsonValue;

struct Wanted {
  std::string_view pointer;
  std::uint32_t offset = 0;
  Finding* finding = nullptr;
};

/// Orders pointers so that all pointers below one value are consecutive: "/a/b" before "/a-b".
bool before(std::string_view a, std::string_view b) {
  const auto rank = [](char c) { return c == '/' ? -1 : static_cast<int>(static_cast<unsigned char>(c)); };
  return std::ranges::lexicographical_compare(a, b, {}, rank, rank);
}

/// Pointers with the same next step after the current value.
struct Group {
  std::string_view step;
  std::span<Wanted> wanted;
};

std::string_view step_of(std::string_view pointer, std::size_t depth) {
  const std::string_view rest = pointer.substr(depth + 1);
  return rest.substr(0, rest.find('/'));
}

std::vector<Group> groups_of(std::span<Wanted> wanted, std::size_t depth) {
  std::vector<Group> groups;
  for (std::size_t first = 0, last = 0; first < wanted.size(); first = last) {
    const std::string_view step = step_of(wanted[first].pointer, depth);
    while (last < wanted.size() && step_of(wanted[last].pointer, depth) == step) ++last;
    groups.push_back({step, wanted.subspan(first, last - first)});
  }
  return groups;
}

// The recursion depth is that of the JSON text, which has a limit.
void place(JsonValue value, std::span<Wanted> wanted, std::size_t depth);

void place_in_object(JsonValue object, const std::vector<Group>& groups, std::size_t depth) {
  std::vector<JsonValue> values(groups.size());  // of a repeated key, the last one counts
  for (const JsonMember member : object.members()) {
    const std::string key = document::escape_pointer(member.key.string());
    const auto group = std::ranges::lower_bound(groups, std::string_view(key), before, &Group::step);
    if (group != groups.end() && group->step == key) values[static_cast<std::size_t>(group - groups.begin())] = member.value;
  }
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (values[i]) place(values[i], groups[i].wanted, depth + 1 + groups[i].step.size());
}

void place_in_array(JsonValue array, const std::vector<Group>& groups, std::size_t depth) {
  struct Element {
    std::uint32_t index;
    const Group* group;
  };
  std::vector<Element> elements;
  for (const Group& group : groups) {
    std::uint32_t index = 0;
    const char* const end = group.step.data() + group.step.size();
    if (const auto read = std::from_chars(group.step.data(), end, index); read.ec == std::errc{} && read.ptr == end)
      elements.push_back({index, &group});
  }
  std::ranges::sort(elements, {}, &Element::index);
  auto next = elements.begin();
  std::uint32_t index = 0;
  for (const JsonValue value : array.elements()) {
    if (next == elements.end()) return;
    for (; next != elements.end() && next->index == index; ++next) place(value, next->group->wanted, depth + 1 + next->group->step.size());
    ++index;
  }
}

void place(JsonValue value, std::span<Wanted> wanted, std::size_t depth) {
  for (Wanted& one : wanted) one.offset = value.offset();
  const auto reached =
      static_cast<std::size_t>(std::ranges::count_if(wanted, [&](const Wanted& one) { return one.pointer.size() == depth; }));
  wanted = wanted.subspan(reached);
  if (wanted.empty()) return;
  if (value.is(JsonKind::object)) place_in_object(value, groups_of(wanted, depth), depth);
  if (value.is(JsonKind::array)) place_in_array(value, groups_of(wanted, depth), depth);
}

}  // namespace

void locate(const document::Document& document, std::span<Finding> findings) {
  const std::string_view text = document.json().text();
  const std::uint64_t base = document.json_offset().value_or(0);
  std::vector<Wanted> wanted;
  std::vector<Wanted> found;
  for (Finding& finding : findings) {
    if (finding.position) continue;
    if (finding.offset && document.json_offset() && *finding.offset >= base && *finding.offset - base < text.size())
      found.push_back({{}, static_cast<std::uint32_t>(*finding.offset - base), &finding});
    else if (!finding.offset)  // "/" means the root, as "" does
      wanted.push_back({finding.pointer.starts_with('/') && finding.pointer != "/" ? std::string_view(finding.pointer) : "", 0, &finding});
  }
  std::ranges::sort(wanted, before, &Wanted::pointer);
  if (!wanted.empty()) place(document.json().root(), wanted, 0);
  found.insert(found.end(), wanted.begin(), wanted.end());
  std::ranges::sort(found, {}, &Wanted::offset);
  document::TextPositions positions(text);
  for (const Wanted& one : found) {
    Position position = positions.of(one.offset);
    if (document.json_offset()) position.byte = base + one.offset;
    one.finding->position = position;
  }
}

}  // namespace sinew::validate
