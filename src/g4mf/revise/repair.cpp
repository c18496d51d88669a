// SPDX-License-Identifier: MIT
#include "g4mf/revise/repair.hpp"

#include <fmt/format.h>

#include <set>
#include <string>

#include "g4mf/revise/parts.hpp"
#include "g4mf/revise/revise_names.hpp"
#include "g4mf/revise/revising.hpp"

namespace sinew::g4mf {

namespace {

void rename(Revising& revising, JsonValue name, const std::string& instead) {
  JsonEdit* const place = at_pointer(revising.root(), name.pointer());
  if (place == nullptr) return;
  revising.changed(name, fmt::format("renamed \"{}\" to \"{}\"", name.string(), instead));
  *place = JsonEdit::string(instead);
}

void repair_names(Revising& revising) {
  Names names(revising.old_root());
  std::set<std::string> seen;
  for (const JsonValue value : item_names(revising.old_root(), false)) {
    const std::string old = value.string(), legal = legal_name(old, revising.to());
    if (old.empty() || (legal == old && seen.insert(old).second)) continue;
    const std::string instead = names.take(legal);
    seen.insert(instead);
    rename(revising, value, instead);
  }
}

void repair_group_names(Revising& revising) {
  for (const JsonValue mesh : revising.old_list(RootRow::meshes)) {
    const std::vector<JsonValue> values = list_of(mesh["skin"]["groupNames"]);
    UniqueNames names;
    for (const JsonValue value : values) names.add(value.string());
    std::set<std::string> seen;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string old = values[i].string();
      if (!old.empty() && seen.insert(old).second) continue;
      rename(revising, values[i], names.take(old.empty() ? fmt::format("Group_{}", i) : old));
    }
  }
}

}  // namespace

Result<std::shared_ptr<const document::Document>> repair(const document::Document& document, Revision revision, const RepairParts& parts,
                                                         FindingSink& changes) {
  Revising revising(document, revision, revision, changes);
  Checked<> done = revising.begin();
  if (done && parts.joints) done = sort_joints(revising);
  if (!done) return Unexpected(revising.error_of(done.error()));
  if (!parts.joints) {  // pointers are those of the old text, which sorting may have moved
    if (parts.names) repair_names(revising);
    if (parts.group_names) repair_group_names(revising);
    return revising.finish();
  }
  auto sorted = revising.finish();
  if (!sorted || !(parts.names || parts.group_names)) return sorted;
  return repair(**sorted, revision, {parts.names, parts.group_names, false}, changes);
}

}  // namespace sinew::g4mf
