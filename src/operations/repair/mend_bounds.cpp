// SPDX-License-Identifier: MIT
#include "operations/repair/mend_bounds.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "document/json/edit_members.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/reader.hpp"
#include "gltf/read/parsed.hpp"
#include "gltf/write/write_buffer.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonValue;

// Each finding is at a member of the accessor, or at a reference to it.
constexpr std::string_view wrong_bounds[] = {"ACCESSOR_MIN_MISMATCH", "ACCESSOR_MAX_MISMATCH"};
constexpr std::string_view without_bounds[] = {"MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
                                               "ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS"};

std::optional<Index> index_of(std::string_view text) {
  Index index = 0;
  const auto [rest, wrong] = std::from_chars(text.data(), text.data() + text.size(), index);
  return wrong == std::errc() && rest == text.data() + text.size() ? std::optional(index) : std::nullopt;
}

/// Returns the value at a pointer whose steps need no escapes.
JsonValue value_at(JsonValue value, std::string_view pointer) {
  while (!pointer.empty()) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const std::string_view step = pointer.substr(1, end - 1);
    const auto index = value.is(document::JsonKind::array) ? index_of(step) : std::nullopt;
    value = index ? value.at(*index) : value[step];
    pointer.remove_prefix(end);
  }
  return value;
}

/// Returns the accessors with wrong or missing bounds.
std::set<Index> accessors_of(const document::Document& document, std::span<const Finding> found) {
  constexpr std::string_view list = "/accessors/";
  std::set<Index> wrong;
  const auto add = [&wrong](std::optional<Index> index) {
    if (index) wrong.insert(*index);
  };
  for (const Finding& finding : found) {
    const std::string_view pointer = finding.pointer;
    if (std::ranges::find(wrong_bounds, finding.code) != std::end(wrong_bounds) && pointer.starts_with(list))
      add(index_of(pointer.substr(list.size(), pointer.find('/', list.size()) - list.size())));
    else if (std::ranges::find(without_bounds, finding.code) != std::end(without_bounds))
      add(index_of(value_at(document.json().root(), pointer).text()));
  }
  return wrong;
}

}  // namespace

Result<std::shared_ptr<const document::Document>> mend_bounds(const std::shared_ptr<const document::Document>& document,
                                                              std::span<const Finding> found, FindingSink& changes) {
  const std::set<Index> wrong = accessors_of(*document, found);
  if (wrong.empty()) return document;
  FindingList ignored;  // those of the file were already reported
  gltf::Parsed parsed(*document, ignored);
  if (auto read = gltf::parse_asset(parsed); !read) return Unexpected(std::move(read.error()));
  if (auto read = gltf::parse_contents(parsed); !read) return Unexpected(std::move(read.error()));
  JsonEdit root(document->json().root());
  const EditReporter reporter(changes);
  const std::vector<JsonValue> accessors = document::list_of(document->json().root()["accessors"]);
  for (const Index index : wrong) {
    if (index >= accessors.size() || (!accessors[index]["bufferView"] && !accessors[index]["sparse"])) continue;  // a Draco stream has them
    const auto& values = parsed.accessors->array(index);
    std::vector<double> least, most;
    if (values && !values->empty()) gltf::bounds(*values, least, most);
    if (least.empty()) continue;
    JsonEdit& accessor = root.find("accessors")->at(index);
    document::set_numbers(accessor, "min", least);
    document::set_numbers(accessor, "max", most);
    reporter.changed(format_text("/accessors/{}", index), "stored the `min` and `max` of the values");
  }
  return document::with_binary(*document, root.text(), std::nullopt);
}

}  // namespace sinew::operations
