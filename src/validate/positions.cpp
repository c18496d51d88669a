// SPDX-License-Identifier: MIT
#include "validate/positions.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "document/json/json.hpp"
#include "document/json/pointer.hpp"
#include "document/json/text_positions.hpp"

namespace sinew::validate {

namespace {

using document::JsonKind;
using document::JsonValue;

struct Located {
  std::uint32_t offset = 0;
  Finding* finding = nullptr;
};

/// Returns the value that a finding is about, or the closest one above its pointer.
JsonValue value_of(const document::Json& json, const Finding& finding) {
  if (finding.value != 0) return {json, finding.value};
  JsonValue value = json.root();
  if (finding.pointer == "/") return value;
  for (const document::PointerStep& step : document::steps_of(finding.pointer)) {
    const auto index = value.is(JsonKind::array) ? step.index() : std::nullopt;
    const JsonValue below = index ? value.at(*index) : value[step.name()];
    if (!below) break;
    value = below;
  }
  return value;
}

}  // namespace

void locate(const document::Document& document, std::span<Finding> findings) {
  const std::string_view text = document.json().text();
  const std::uint64_t base = document.json_offset().value_or(0);
  std::vector<Located> found;
  for (Finding& finding : findings) {
    if (finding.position) continue;
    if (!finding.offset)
      found.push_back({value_of(document.json(), finding).offset(), &finding});
    else if (document.json_offset() && *finding.offset >= base && *finding.offset - base < text.size())
      found.push_back({static_cast<std::uint32_t>(*finding.offset - base), &finding});
  }
  std::ranges::sort(found, {}, &Located::offset);
  document::TextPositions positions(text);
  for (const Located& one : found) {
    Position position = positions.of(one.offset);
    if (document.json_offset()) position.byte = base + one.offset;
    one.finding->position = position;
  }
}

}  // namespace sinew::validate
