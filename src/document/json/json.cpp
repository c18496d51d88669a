// SPDX-License-Identifier: MIT
#include "document/json/json.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <ranges>
#include <system_error>

#include "document/json/json_text.hpp"

namespace sinew::document {

std::optional<double> JsonValue::unstored_number() const { return to_double(text()); }

// For integers that are too long for the tape, which few are.
std::optional<std::int64_t> JsonValue::long_integer() const {
  const std::string_view digits = text();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<bool> JsonValue::boolean() const {
  if (!is(JsonKind::boolean)) return std::nullopt;
  return text().front() == 't';
}

std::string JsonValue::string() const {
  if (!is(JsonKind::string)) return {};
  return is_plain_string() ? std::string(plain_string()) : unescape(plain_string());
}

JsonValue JsonValue::operator[](std::string_view key) const {
  if (!is(JsonKind::object)) return {};
  JsonValue found;
  const std::uint32_t end = json_->next(id_);
  for (std::uint32_t name = json_->below(id_), value = 0; name != end; name = json_->next(value)) {
    value = json_->next(name);
    const std::string_view plain = plain_key(*json_, name);
    if (plain.data() != nullptr ? same_name(plain, key) : JsonValue(*json_, name).equals(key)) found = {*json_, value};
  }
  return found;
}

JsonValue JsonValue::at(std::uint32_t index) const {
  if (!is(JsonKind::array) || index >= size()) return {};
  std::uint32_t id = json_->below(id_);
  for (std::uint32_t i = 0; i < index; ++i) id = json_->next(id);
  return {*json_, id};
}

std::string JsonValue::pointer() const {
  if (!json_) return {};
  const Json::Parents& parents = json_->parents();
  std::vector<std::uint32_t> path;
  for (std::uint32_t id = id_; id != 0; id = parents.parent[id]) path.push_back(id);
  std::string pointer;
  for (const std::uint32_t id : std::views::reverse(path)) {
    pointer += '/';
    if (JsonValue(*json_, parents.parent[id]).is(JsonKind::array))
      fmt::format_to(std::back_inserter(pointer), "{}", parents.child[id]);
    else
      pointer += escape_pointer(JsonValue(*json_, parents.child[id]).string());
  }
  return pointer;
}

const Json::Parents& Json::parents() const {
  std::call_once(parents_->made, [this] {
    parents_->parent.resize(size_);
    parents_->child.resize(size_);
    std::uint32_t *const parent = parents_->parent.data(), *const place = parents_->child.data();
    for (std::uint32_t id = 0; id < size(); id = below(id)) {
      if (entry(id).kind() < JsonKind::array) continue;
      const bool object = entry(id).kind() == JsonKind::object;
      std::uint32_t number = 0;
      for (std::uint32_t child = below(id), end = next(id); child != end; child = next(child)) {
        if (object) {  // a key, and then its value
          parent[child] = id;
          place[child] = number = child;
          child = next(child);
        }
        parent[child] = id;
        place[child] = number++;
      }
    }
  });
  return *parents_;
}

std::string escape_pointer(std::string_view key) {
  std::string out;
  out.reserve(key.size());
  for (const char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

}  // namespace sinew::document
