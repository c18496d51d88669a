// SPDX-License-Identifier: MIT
#include "document/json/edit_members.hpp"

#include <limits>
#include <utility>

namespace sinew::document {

namespace {

constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();

/// Sets a list of values, or removes the member if there are none.
template <class Values, class Item>
void set_list(JsonEdit& object, std::string_view key, const Values& values, const Item& item) {
  if (values.empty()) return object.erase(key);
  JsonEdit list = JsonEdit::array();
  for (const auto& value : values) list.push_back(item(value));
  object.set(key, std::move(list));
}

}  // namespace

JsonEdit& object_in(JsonEdit& object, std::string_view key) {
  JsonEdit* found = object.find(key);
  return found != nullptr && found->is(JsonKind::object) ? *found : object.set(key, JsonEdit::object());
}

JsonEdit& list_in(JsonEdit& object, std::string_view key) {
  JsonEdit* found = object.find(key);
  return found != nullptr && found->is(JsonKind::array) ? *found : object.set(key, JsonEdit::array());
}

std::size_t length(const JsonEdit* list) { return list != nullptr && list->is(JsonKind::array) ? list->size() : 0; }

void set_or_erase(JsonEdit& object, std::string_view key, std::optional<JsonEdit> value) {
  if (value)
    object.set(key, *std::move(value));
  else
    object.erase(key);
}

void set_name(JsonEdit& object, std::string_view name) {
  set_or_erase(object, "name", name.empty() ? std::nullopt : std::optional(JsonEdit::string(name)));
}

void set_index(JsonEdit& object, std::string_view key, std::uint32_t index) {
  set_or_erase(object, key, index == no_place ? std::nullopt : std::optional(JsonEdit::integer(index)));
}

void set_byte_offset(JsonEdit& object, std::uint64_t offset) {
  set_or_erase(object, "byteOffset", offset == 0 ? std::nullopt : std::optional(JsonEdit::integer(offset)));
}

void set_indices(JsonEdit& object, std::string_view key, std::span<const std::uint32_t> indices) {
  set_list(object, key, indices, [](std::uint32_t index) { return JsonEdit::integer(index); });
}

void set_slots(JsonEdit& object, std::string_view key, std::span<const std::uint32_t> indices) {
  set_list(object, key, indices, [](std::uint32_t index) { return index == no_place ? JsonEdit::integer(-1) : JsonEdit::integer(index); });
}

void set_names(JsonEdit& object, std::string_view key, std::span<const std::string> names) {
  set_list(object, key, names, JsonEdit::string);
}

void set_numbers(JsonEdit& object, std::string_view key, std::span<const double> values) {
  set_list(object, key, values, JsonEdit::number);
}

void erase_in(JsonEdit& object, std::string_view key, std::string_view member) {
  JsonEdit* const inner = object.find(key);
  if (inner == nullptr || inner->find(member) == nullptr) return;
  inner->erase(member);
  if (inner->size() == 0) object.erase(key);
}

void add_name(JsonEdit& object, std::string_view key, std::string_view name) {
  JsonEdit& list = list_in(object, key);
  JsonEdit added = JsonEdit::string(name);
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list.at(i).text() == added.text()) return;
  list.push_back(std::move(added));
}

void erase_name(JsonEdit& object, std::string_view key, std::string_view name) {
  JsonEdit* list = object.find(key);
  for (std::size_t i = length(list); i-- > 0;)
    if (list->at(i).text() == JsonEdit::string(name).text()) list->erase_at(i);
  if (list != nullptr && list->size() == 0) object.erase(key);
}

JsonEdit numbers(std::span<const double> values) {
  JsonEdit list = JsonEdit::array();
  for (const double value : values) list.push_back(JsonEdit::number(value));
  return list;
}

}  // namespace sinew::document
