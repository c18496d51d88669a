// SPDX-License-Identifier: MIT
#include "g4mf/revision.hpp"

#include <algorithm>
#include <bit>

#include "g4mf/tables.hpp"

namespace sinew::g4mf {

namespace {

using document::JsonKind;
using document::JsonMember;
using document::JsonValue;
using document::Property;
using document::Table;

constexpr std::uint8_t all = Property{}.revisions;

/// Calls `use(member, row, revisions)` for every property that a table knows, revisions being those that know its name.
template <class Use>
void walk(JsonValue object, const Table& table, Use& use) {
  for (const JsonMember member : object.members()) {
    const Property* row = document::find_row(table.rows, member);
    if (row == nullptr) continue;
    use(member, *row, member.key.equals(row->name) ? row->revisions : row->old_revisions);
    if (row->of == nullptr) continue;
    if (member.value.is(JsonKind::object))
      walk(member.value, *row->of, use);
    else
      for (const JsonValue element : member.value.elements()) walk(element, *row->of, use);
  }
}

constexpr Revision oldest(std::uint8_t revisions) { return static_cast<Revision>(std::countr_zero(revisions)); }
constexpr bool knows(std::uint8_t revisions, Revision revision) { return (revisions >> static_cast<unsigned>(revision) & 1) != 0; }

// Every name proves that the file is not older than the name. That a file is old can only be told from a name that was given up since.
Revision newest_seen(JsonValue root) {
  Revision newest = Revision::r2025_08;
  bool only_old = false;
  auto look = [&](const JsonMember&, const Property&, std::uint8_t revisions) {
    if (revisions == all) return;
    newest = std::max(newest, oldest(revisions));
    if (!knows(revisions, Revision::r2026_01)) only_old = true;
  };
  walk(root, root_table, look);
  return newest == Revision::r2025_08 && !only_old ? Revision::r2026_01 : newest;
}

}  // namespace

Revision find_revision(document::Reading& reading, std::optional<Revision> given) {
  const JsonValue root = reading.document().json().root();
  const Revision revision = given ? *given : newest_seen(root);
  bool mixed = false;
  auto compare = [&](const JsonMember& member, const Property& row, std::uint8_t revisions) {
    if (knows(revisions, revision)) return;
    mixed = true;
    if (oldest(revisions) < revision)
      reading.report<"G4MF_JSON_OLD_PROPERTY"_code>(member.value, member.key.string(), revision_names[static_cast<std::size_t>(revision)],
                                                    row.name);
  };
  walk(root, root_table, compare);
  if (mixed) reading.report<"G4MF_JSON_MIXED_REVISIONS"_code>(root, revision_names[static_cast<std::size_t>(revision)]);
  return revision;
}

}  // namespace sinew::g4mf
