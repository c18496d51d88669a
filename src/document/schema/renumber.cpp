// SPDX-License-Identifier: MIT
#include "document/schema/renumber.hpp"

#include <cmath>

#include "document/json/edit_members.hpp"

namespace sinew::document {

namespace {

void renumber_list(JsonEdit& list, JsonValue source, const Property& row, const Renumbering& renumbering) {
  std::size_t place = 0;
  for (const JsonValue item : source.elements()) {
    const auto old = whole_number(item);
    const auto fresh = old ? renumbering.index(row, *old) : std::nullopt;
    if (old && !fresh) {
      list.erase_at(place);
      continue;
    }
    if (fresh && *fresh != *old) list.at(place) = JsonEdit::integer(*fresh);
    ++place;
  }
}

/// Returns whether a value in place of an index is one, or none in any sense: null, true, "", an empty list.
bool is_index_or_nothing(JsonValue value) {
  if (const auto number = value.number()) return std::trunc(*number) == *number;
  return value.size() == 0 && value.string().empty() && !value.is(JsonKind::number);
}

}  // namespace

bool is_readable(const Property& row, JsonValue value) {
  const bool objects = row.of != nullptr;
  if (!objects && row.reference == 0) return true;
  const auto fits = [&](JsonValue one) { return objects ? one.is(JsonKind::object) || !may_hold_indices(one) : is_index_or_nothing(one); };
  if (row.shape == Property::Shape::single) return fits(value);
  if (!value.is(JsonKind::array)) return objects ? !may_hold_indices(value) : is_index_or_nothing(value);
  for (const JsonValue element : value.elements())
    if (!fits(element)) return false;
  return true;
}

// Recursion is limited by the depth of the tables.
bool renumber(JsonEdit& object, JsonValue source, const Table& any, const Renumbering& renumbering) {
  if (!source.is(JsonKind::object)) return true;
  bool readable = true;
  const Table& table = renumbering.kind(source, any);
  for (const JsonMember member : source.members()) {
    const std::string key = member.key.string();
    const Property* row = table.others != nullptr ? table.others : find_row(table.rows, member);
    if (row == nullptr || (row->of == nullptr && row->reference == 0 && key != "extensions")) continue;
    JsonEdit* const edit = object.find(key);
    if (edit == nullptr) continue;
    // Of equal keys only the last one counts.
    if (const JsonValue now = edit->source(); now.json() == source.json() && now.json() != nullptr && now.id() != member.value.id())
      continue;
    const bool list = member.value.is(JsonKind::array);
    if (key == "extensions" && table.others == nullptr) {
      if (member.value.is(JsonKind::object)) renumbering.extensions(*edit, member.value, table);
      continue;
    }
    readable &= is_readable(*row, member.value);
    if (row->of != nullptr) {
      if (!list) {
        readable &= renumber(*edit, member.value, *row->of, renumbering);
      } else {
        std::size_t place = 0;
        for (const JsonValue element : member.value.elements()) readable &= renumber(edit->at(place++), element, *row->of, renumbering);
      }
    } else if (row->reference != 0) {
      if (list) {
        renumber_list(*edit, member.value, *row, renumbering);
      } else if (const auto old = whole_number(member.value)) {
        if (const auto fresh = renumbering.index(*row, *old); !fresh)
          object.erase(key);
        else if (*fresh != *old)
          object.set(key, JsonEdit::integer(*fresh));
      }
    }
  }
  return readable;
}

void append_children(JsonEdit& nodes, std::span<const std::uint32_t> place, std::span<const std::uint32_t> parent, std::uint32_t none) {
  for (std::size_t n = 0; n < place.size(); ++n) {
    if (place[n] == none || parent[n] == none) continue;
    JsonEdit& node = nodes.at(parent[n]);
    if (!node.is(JsonKind::object)) node = JsonEdit::object();  // reading treats it as a node without properties
    list_in(node, "children").push_back(JsonEdit::integer(place[n]));
  }
}

bool may_hold_indices(JsonValue value) {
  if (whole_number(value) || value.string().starts_with('/')) return true;
  for (const JsonMember member : value.members())
    if (may_hold_indices(member.value)) return true;
  for (const JsonValue element : value.elements())
    if (may_hold_indices(element)) return true;
  return false;
}

}  // namespace sinew::document
