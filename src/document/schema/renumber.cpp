// SPDX-License-Identifier: MIT
#include "document/schema/renumber.hpp"

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

}  // namespace

// Recursion is limited by the depth of the tables.
void renumber(JsonEdit& object, JsonValue source, const Table& any, const Renumbering& renumbering) {
  if (!source.is(JsonKind::object)) return;
  const Table& table = renumbering.kind(source, any);
  for (const JsonMember member : source.members()) {
    const std::string key = member.key.string();
    const Property* row = table.others != nullptr ? table.others : find_row(table.rows, member);
    if (row == nullptr) continue;
    const bool list = member.value.is(JsonKind::array);
    if (key == "extensions" && table.others == nullptr) {
      if (member.value.is(JsonKind::object)) renumbering.extensions(*object.find(key), member.value, table);
    } else if (row->of != nullptr) {
      if (!list) {
        renumber(*object.find(key), member.value, *row->of, renumbering);
      } else {
        std::size_t place = 0;
        for (const JsonValue element : member.value.elements()) renumber(object.find(key)->at(place++), element, *row->of, renumbering);
      }
    } else if (row->reference != 0) {
      if (list) {
        renumber_list(*object.find(key), member.value, *row, renumbering);
      } else if (const auto old = whole_number(member.value)) {
        if (const auto fresh = renumbering.index(*row, *old); !fresh)
          object.erase(key);
        else if (*fresh != *old)
          object.set(key, JsonEdit::integer(*fresh));
      }
    }
  }
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
