// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number.hpp"
#include "document/json/json.hpp"
#include "document/json/json_edit.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/reader.hpp"
#include "operations/optimize/pack/compact.hpp"

namespace sinew::operations {

using document::Document;
using document::JsonEdit;
using document::JsonValue;

namespace {

/// The member of a node and its default value.
constexpr std::pair<std::string_view, std::string_view> transforms[] = {
    {"translation", "000"}, {"rotation", "0001"}, {"scale", "111"}, {"matrix", "1000010000100001"}};

/// Returns the number with the shortest text that is the same in single precision.
std::optional<double> in_single_precision(double value) {
  const auto single = static_cast<float>(value);
  if (!std::isfinite(single)) return std::nullopt;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, single).ptr;
  return number_in<double>({text, end});
}

void shorten(JsonEdit& node, JsonValue source, std::string_view name, std::string_view defaults, bool rounded) {
  const std::vector<JsonValue> numbers = document::list_of(source[name]);
  if (numbers.size() != defaults.size()) return;
  bool neutral = true;
  std::vector<double> values;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto value = numbers[i].number();
    if (!value) return;
    values.push_back(*value);
    neutral = neutral && *value == defaults[i] - '0';
  }
  if (neutral) return node.erase(name);
  JsonEdit& list = *node.find(name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto shorter = rounded ? in_single_precision(values[i]) : std::optional(values[i]);
    if (!shorter) continue;
    JsonEdit number = JsonEdit::number(*shorter);
    if (number.text().size() < numbers[i].text().size()) list.at(i) = std::move(number);
  }
}

/// Writes the bounds of real numbers with the digits of single precision, in which they are compared.
void shorten_bounds(JsonEdit& accessor, JsonValue source) {
  constexpr std::uint64_t float32 = 5126;
  if (document::whole_number(source["componentType"]) != float32) return;
  for (const std::string_view name : {"min", "max"}) {
    const std::vector<JsonValue> numbers = document::list_of(source[name]);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto value = numbers[i].number();
      const auto shorter = value ? in_single_precision(*value) : std::nullopt;
      if (!shorter || static_cast<float>(*shorter) != static_cast<float>(*value)) continue;
      JsonEdit number = JsonEdit::number(*shorter);
      if (number.text().size() < numbers[i].text().size()) accessor.find(name)->at(i) = std::move(number);
    }
  }
}

std::string without_spaces(std::string_view json) {
  std::string text;
  bool quoted = false, escaped = false;
  for (const char c : json) {
    if (quoted || (c != ' ' && c != '\t' && c != '\n' && c != '\r')) text.push_back(c);
    if (c == '"' && !escaped) quoted = !quoted;
    escaped = quoted && c == '\\' && !escaped;
  }
  return text;
}

}  // namespace

Result<std::shared_ptr<const Document>> shortened(const std::shared_ptr<const Document>& document, bool rounded) {
  JsonEdit root(document->json().root());
  const std::vector<JsonValue> nodes = document::list_of(document->json().root()["nodes"]);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is(document::JsonKind::object)) continue;
    for (const auto& [name, defaults] : transforms)
      if (nodes[i][name]) shorten(root.find("nodes")->at(i), nodes[i], name, defaults, rounded);
  }
  const std::vector<JsonValue> accessors = document::list_of(document->json().root()["accessors"]);
  for (std::size_t i = 0; i < accessors.size(); ++i)
    if (accessors[i]["min"] || accessors[i]["max"]) shorten_bounds(root.find("accessors")->at(i), accessors[i]);
  std::string text = without_spaces(root.text());
  if (text.size() >= document->json().text().size()) return document;
  return document::with_binary(*document, std::move(text), std::nullopt);
}

}  // namespace sinew::operations
