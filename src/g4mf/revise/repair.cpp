// SPDX-License-Identifier: MIT

#include <set>
#include <string>

#include "base/message.hpp"
#include "g4mf/revise/revise.hpp"
#include "g4mf/revise/revise_steps.hpp"
#include "g4mf/revise/reviser.hpp"
#include "g4mf/write/names.hpp"

namespace sinew::g4mf {

namespace {

void rename(Reviser& reviser, JsonValue name, const std::string& instead) {
  JsonEdit* const place = at_pointer(reviser.root(), name.pointer());
  if (place == nullptr) return;
  reviser.changed(name, format_text("renamed \"{}\" to \"{}\"", name.string(), instead));
  *place = JsonEdit::string(instead);
}

void repair_names(Reviser& reviser) {
  Names names(reviser.old_root());
  std::set<std::string> seen;
  for (const JsonValue value : item_names(reviser.old_root(), false)) {
    const std::string old = value.string(), legal = legal_name(old, reviser.to());
    if (old.empty() || (legal == old && seen.insert(old).second)) continue;
    const std::string instead = names.take(legal);
    seen.insert(instead);
    rename(reviser, value, instead);
  }
}

void repair_group_names(Reviser& reviser) {
  for (const JsonValue mesh : reviser.old_list("meshes")) {
    const std::vector<JsonValue> values = list_of(mesh["skin"]["groupNames"]);
    UniqueNames names;
    for (const JsonValue value : values) names.add(value.string());
    std::set<std::string> seen;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string old = values[i].string();
      if (!old.empty() && seen.insert(old).second) continue;
      rename(reviser, values[i], names.take(old.empty() ? format_text("Group_{}", i) : old));
    }
  }
}

}  // namespace

Result<std::shared_ptr<const Document>> repair(const Document& document, Revision revision, const RepairParts& parts,
                                               FindingSink& changes) {
  Reviser reviser(document, revision, revision, changes);
  Checked<> done = reviser.begin();
  if (done && parts.joints) done = sort_joints(reviser);
  if (!done) return Unexpected(reviser.error_of(done.error()));
  if (!parts.joints) {  // names are found by pointers into the old text, which sorting may change
    if (parts.names) repair_names(reviser);
    if (parts.group_names) repair_group_names(reviser);
    return reviser.finish();
  }
  auto sorted = reviser.finish();
  if (!sorted || !(parts.names || parts.group_names)) return sorted;
  return repair(**sorted, revision, {parts.names, parts.group_names, false}, changes);
}

}  // namespace sinew::g4mf
