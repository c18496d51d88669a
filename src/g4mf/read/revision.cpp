// SPDX-License-Identifier: MIT
#include "g4mf/read/revision.hpp"

#include <algorithm>
#include <bit>

#include "g4mf/schema/walk.hpp"

namespace sinew::g4mf {

namespace {

using document::JsonMember;
using document::JsonValue;
using document::Property;

constexpr std::uint8_t all = Property{}.revisions;

/// The revisions that know a row by the name that a member has.
std::uint8_t revisions_of(const JsonMember& member, const Property& row) {
  return member.key.equals(row.name) ? row.revisions : row.old_revisions;
}

constexpr Revision oldest(std::uint8_t revisions) { return static_cast<Revision>(std::countr_zero(revisions)); }
constexpr bool knows(std::uint8_t revisions, Revision revision) { return (revisions >> static_cast<unsigned>(revision) & 1) != 0; }

// Every name proves that the file is not older than the name. That a file is old can only be told from a name that was given up since.
Revision newest_seen(JsonValue root) {
  Revision newest = Revision::r2025_08;
  bool only_old = false;
  auto look = [&](const JsonMember& member, const Property& row) {
    const std::uint8_t revisions = revisions_of(member, row);
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
  auto compare = [&](const JsonMember& member, const Property& row) {
    const std::uint8_t revisions = revisions_of(member, row);
    if (knows(revisions, revision)) return;
    mixed = true;
    if (&row == &node_rows[static_cast<std::size_t>(NodeRow::light_index)])
      reading.report<"G4MF_NODE_LIGHT_INDEX"_code>(member.value, document::excerpt(member.value));
    else if (oldest(revisions) < revision)
      reading.report<"G4MF_JSON_OLD_PROPERTY"_code>(member.value, member.key.string(), revision_names[static_cast<std::size_t>(revision)],
                                                    row.name);
  };
  walk(root, root_table, compare);
  if (mixed) reading.report<"G4MF_JSON_MIXED_REVISIONS"_code>(root, revision_names[static_cast<std::size_t>(revision)]);
  return revision;
}

}  // namespace sinew::g4mf
