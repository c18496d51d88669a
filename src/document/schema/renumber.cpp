// SPDX-License-Identifier: MIT
#include "document/schema/renumber.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "document/json/edit_members.hpp"
#include "document/json/pointer.hpp"

namespace sinew::document {

namespace {

/// Renumbers an index or a pointer. Returns whether it stays.
bool renumber_one(JsonEdit* edit, JsonValue source, const Property& row, const Renumbering& renumbering) {
  if (row.form == ReferenceForm::name) {
    if (!renumbering.name || !source.is(JsonKind::string)) return true;
    const std::string name = renumbering.name(row, source.string());
    if (edit != nullptr) *edit = JsonEdit::string(name);
    return true;
  }
  if (row.form == ReferenceForm::pointer) {
    if (!source.is(JsonKind::string)) return true;
    const std::string old = source.string();
    const auto fresh = renumber_pointer(old, renumbering);
    if (edit != nullptr && fresh && *fresh != old) *edit = JsonEdit::string(*fresh);
    return fresh.has_value();
  }
  const auto old = whole_number(source);
  const auto fresh = old ? renumbering.index(row, *old) : std::nullopt;
  if (edit != nullptr && fresh && *fresh != *old) *edit = JsonEdit::integer(*fresh);
  return !old || fresh.has_value();
}

/// `inner`: the list is one of a list. Lists below it hold no indices.
void renumber_list(JsonEdit* list, JsonValue source, const Property& row, const Renumbering& renumbering, bool inner = false) {
  std::size_t place = 0;
  for (const JsonValue item : source.elements()) {
    JsonEdit* const edit = list == nullptr ? nullptr : &list->at(place);
    const bool stays = item.is(JsonKind::array) || renumber_one(edit, item, row, renumbering);
    if (item.is(JsonKind::array) && !inner) renumber_list(edit, item, row, renumbering, true);
    if (stays)
      ++place;
    else if (list != nullptr)
      list->erase_at(place);
  }
}

/// Moves the elements of a parallel list to where the elements that they describe are now.
void order_parallel(JsonEdit& list, JsonValue source, const Property& row, const Renumbering& renumbering) {
  std::map<std::uint64_t, JsonEdit> moved;
  const std::size_t count = source.size();
  bool same = true;
  for (std::size_t i = 0; i < count; ++i) {
    const auto fresh = renumbering.index(row, i);
    same = same && fresh == i;
    if (fresh) moved.emplace(*fresh, list.at(i));
  }
  if (same) return;
  list = JsonEdit::array();
  for (auto& [place, element] : moved) list.push_back(std::move(element));
}

/// Returns whether the text is a template with a step "[input]": a number at run time, which no editor can tell from other numbers.
bool has_open_number(std::string_view pointer) { return pointer.find("/[") != std::string_view::npos; }

/// Returns whether a value in place of an index is one, or none in any sense: null, true, "", an empty list.
bool is_index_or_nothing(JsonValue value) {
  if (const auto number = value.number()) return std::trunc(*number) == *number;
  return value.size() == 0 && value.string().empty() && !value.is(JsonKind::number);
}

/// Returns false if a value has another type than its row, and so may hold indices that nothing can read.
bool is_readable(const Property& row, JsonValue value) {
  const bool objects = row.of != nullptr;
  if (row.form == ReferenceForm::pointer) return !has_open_number(value.string());
  if (row.form == ReferenceForm::name) return true;
  if (row.loose || (!objects && row.reference == 0)) return true;
  const auto fits = [&](JsonValue one) { return objects ? one.is(JsonKind::object) || !may_hold_indices(one) : is_index_or_nothing(one); };
  if (row.shape == Property::Shape::single) return fits(value);
  if (!value.is(JsonKind::array)) return objects ? !may_hold_indices(value) : is_index_or_nothing(value);
  for (const JsonValue element : value.elements()) {
    if (fits(element)) continue;
    if (objects || !element.is(JsonKind::array)) return false;
    for (const JsonValue inner : element.elements())  // of a list of lists
      if (!fits(inner)) return false;
  }
  return true;
}

bool renumber_extensions(JsonEdit* edit, JsonValue extensions, const Table& holder, const Renumbering& renumbering) {
  bool readable = true;
  for (const JsonMember member : extensions.members()) {
    const std::string name = member.key.string();
    const Table* const table = renumbering.scheme.extension(name, holder);
    if (table == nullptr ? !may_hold_indices(member.value)
                         : renumber(edit == nullptr ? nullptr : edit->find(name), member.value, *table, renumbering))
      continue;
    if (renumbering.unreadable)
      renumbering.unreadable(member);
    else
      readable = false;
  }
  return readable;
}

}  // namespace

std::optional<std::string> renumber_pointer(std::string_view pointer, const Renumbering& renumbering) {
  const ReferenceScheme& scheme = renumbering.scheme;
  const std::vector<PointerStep> steps = steps_of(pointer);
  std::size_t number = 1;  // the place of the index among the steps
  Property row;
  std::string list;
  if (steps.size() > 2 && steps[0].text == "extensions") {
    list = steps[1].text;
    const Table* table = scheme.extension(list, scheme.root);
    const Property* member = nullptr;
    for (number = 2; table != nullptr && number < steps.size() && (member == nullptr || member->shape != Property::Shape::list); ++number) {
      const auto found = std::ranges::find(table->rows, steps[number].text, &Property::name);
      member = found == table->rows.end() ? nullptr : &*found;
      table = member == nullptr ? nullptr : member->of;
      list.append("/").append(steps[number].text);
    }
    if (table == nullptr || member == nullptr || member->shape != Property::Shape::list) return std::string(pointer);
    row.reference = scheme.of_extension;
    row.of_list = list;
  } else if (!steps.empty()) {
    const bool known = std::ranges::find(scheme.root.rows, steps[0].text, &Property::name) != scheme.root.rows.end();
    std::size_t kind = scheme.lists.size();  // the last list of this name is the root's
    while (kind > 0 && scheme.lists[kind - 1] != steps[0].text) --kind;
    if (kind == 0 || !known) return std::string(pointer);
    row.reference = static_cast<std::uint8_t>(kind - 1);
  }
  const auto index = number < steps.size() ? steps[number].index() : std::nullopt;
  if (!index) return std::string(pointer);
  const auto fresh = renumbering.index(row, *index);
  if (!fresh) return std::nullopt;
  return std::string(pointer.substr(0, steps[number - 1].end + 1)) + std::to_string(*fresh) +
         std::string(pointer.substr(steps[number].end));
}

// Recursion is limited by the depth of the tables.
bool renumber(JsonEdit* object, JsonValue source, const Table& any, const Renumbering& renumbering) {
  if (!source.is(JsonKind::object)) return true;
  bool readable = true;
  const Table& table = kind_of(source, any);
  for (const JsonMember member : source.members()) readable &= renumber_member(object, member, table, renumbering);
  return readable;
}

bool renumber_member(JsonEdit* object, const JsonMember& member, const Table& table, const Renumbering& renumbering) {
  const Property* row = find_row(table, member);
  if (row == nullptr) return true;
  const bool extensions = row != table.others && member.key.equals("extensions");
  if (row->of == nullptr && row->reference == 0 && row->form == ReferenceForm::index && !extensions) return true;
  const std::string key = object == nullptr ? std::string() : member.key.string();
  JsonEdit* const edit = object == nullptr ? nullptr : object->find(key);
  if (object != nullptr && edit == nullptr) return true;
  // Of equal keys only the last one counts.
  if (const JsonValue now = edit == nullptr ? JsonValue() : edit->source();
      now && now.json() == member.value.json() && now.id() != member.value.id())
    return true;
  if (extensions) return renumber_extensions(edit, member.value, table, renumbering);
  bool readable = is_readable(*row, member.value);
  const bool list = member.value.is(JsonKind::array);
  if (row->of != nullptr && list) {
    std::size_t place = 0;
    for (const JsonValue element : member.value.elements())
      readable &= renumber(edit == nullptr ? nullptr : &edit->at(place++), element, *row->of, renumbering);
    if (row->form == ReferenceForm::parallel && edit != nullptr) order_parallel(*edit, member.value, *row, renumbering);
  } else if (row->of != nullptr) {
    readable &= renumber(edit, member.value, *row->of, renumbering);
  } else if (list) {
    renumber_list(edit, member.value, *row, renumbering);
  } else if (!renumber_one(edit, member.value, *row, renumbering) && object != nullptr) {
    object->erase(key);
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
