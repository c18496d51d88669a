// SPDX-License-Identifier: MIT
#include <algorithm>

#include "document/schema/revision.hpp"
#include "g4mf/revise/revise_steps.hpp"
#include "g4mf/schema/extras.hpp"
#include "g4mf/write/names.hpp"

namespace sinew::g4mf {

namespace {

bool has_renamed_rows(const Table& table) {
  return std::ranges::any_of(table.rows,
                             [](const Property& row) { return !row.old_name.empty() || (row.of != nullptr && has_renamed_rows(*row.of)); });
}

void rename_rows(JsonEdit& object, const Table& table, std::uint8_t revision) {
  if (!object.is(JsonKind::object)) return;
  for (const Property& row : table.rows) {
    if (!row.old_name.empty() && (row.revisions & revision) != 0) object.rename(row.old_name, row.name);
    if (!row.old_name.empty() && (row.old_revisions & revision) != 0) object.rename(row.name, row.old_name);
    if (row.of == nullptr || !has_renamed_rows(*row.of)) continue;
    JsonEdit* const child = object.find(row.name);
    if (child == nullptr) continue;
    if (child->is(JsonKind::array))
      for (std::size_t i = 0; i < child->size(); ++i) rename_rows(child->at(i), *row.of, revision);
    else
      rename_rows(*child, *row.of, revision);
  }
}

}  // namespace

void rename_properties(Reviser& reviser) {
  rename_rows(reviser.root(), root_table, static_cast<std::uint8_t>(1u << static_cast<unsigned>(reviser.to())));
}

void revise_names(Reviser& reviser) {
  Names names(reviser.old_root());
  for (const JsonValue value : item_names(reviser.old_root(), false)) {
    const std::string old = value.string(), legal = legal_name(old, reviser.revision(), reviser.to());
    if (legal == old) continue;
    const std::string pointer = value.pointer();
    JsonEdit* const holder =
        at_pointer(reviser.root(), std::string_view(pointer).substr(0, pointer.size() - std::string_view("/name").size()));
    if (holder == nullptr || !holder->is(JsonKind::object)) continue;
    const std::string name = names.take(legal);
    holder->set("name", JsonEdit::string(name));
    JsonEdit* const known = holder->find("extras");
    JsonEdit& extras = known == nullptr ? holder->set("extras", JsonEdit::object()) : *known;
    if (extras.is(JsonKind::object) && extras.find(original_name_extra) == nullptr) extras.set(original_name_extra, JsonEdit::string(old));
    reviser.losses().add(finding("SINEW_REVISE_NAME"_code, pointer, old, name_of(reviser.to()), name));
  }
}

}  // namespace sinew::g4mf
