// SPDX-License-Identifier: MIT
#include "document/json/json.hpp"

#include <algorithm>
#include <iterator>
#include <system_error>

#include "base/number.hpp"
#include "document/json/json_text.hpp"

namespace sinew::document {

std::optional<double> JsonValue::unstored_number() const { return to_double(text()); }

// For integers that are too long for the tape, which few are.
std::optional<std::int64_t> JsonValue::long_integer() const { return number_in<std::int64_t>(text()); }

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
  std::string pointer;
  for (const auto& [parent, child] : json_->path(id_)) {
    pointer += '/';
    if (JsonValue(*json_, parent).is(JsonKind::array))
      pointer += std::to_string(child);
    else
      pointer += escape_pointer(JsonValue(*json_, child).string());
  }
  return pointer;
}

std::vector<Json::Step> Json::path(std::uint32_t id) const {
  constexpr std::uint32_t few = 16;
  std::vector<Step> path;
  if (parents_->asked.fetch_add(1, std::memory_order_relaxed) >= few) {
    const Parents& parents = this->parents();
    for (; id != 0; id = parents.steps[id].parent) path.push_back(parents.steps[id]);
    std::ranges::reverse(path);
    return path;
  }
  for (std::uint32_t at = 0; at != id;) {
    const bool object = entry(at).kind() == JsonKind::object;
    const auto end_of = [&](std::uint32_t child) { return object ? next(next(child)) : next(child); };
    std::uint32_t child = below(at), number = 0;
    for (; end_of(child) <= id; child = end_of(child)) ++number;
    path.push_back({at, object ? child : number});
    if (child == id) break;
    at = object ? next(child) : child;
  }
  return path;
}

const Json::Parents& Json::parents() const {
  std::call_once(parents_->made, [this] {
    parents_->steps.resize(size_);
    Step* const steps = parents_->steps.data();
    for (std::uint32_t id = 0; id < size(); id = below(id)) {
      if (entry(id).kind() < JsonKind::array) continue;
      const bool object = entry(id).kind() == JsonKind::object;
      std::uint32_t number = 0;
      for (std::uint32_t child = below(id), end = next(id); child != end; child = next(child)) {
        if (object) {  // a key, and then its value
          steps[child] = {id, number = child};
          child = next(child);
        }
        steps[child] = {id, number++};
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
