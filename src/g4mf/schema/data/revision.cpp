// SPDX-License-Identifier: MIT
#include "g4mf/schema/data/revision.hpp"

#include <algorithm>
#include <bit>

#include "base/message.hpp"
#include "document/schema/revision.hpp"
#include "g4mf/schema/walk.hpp"

namespace sinew::g4mf {

namespace {

constexpr std::uint8_t all = Property{}.revisions;

/// Returns the revisions that have a row under the name of a member; all revisions if no row describes it.
std::uint8_t revisions_of(const JsonMember& member, const Property* row) {
  if (row == nullptr) return all;
  return member.key.equals(row->name) ? row->revisions : row->old_revisions;
}

constexpr Revision oldest(std::uint8_t revisions) { return static_cast<Revision>(std::countr_zero(revisions)); }
constexpr bool knows(std::uint8_t revisions, Revision revision) { return (revisions >> static_cast<unsigned>(revision) & 1) != 0; }

/// Dropped properties, and what replaces them in newer revisions.
constexpr struct {
  const Property* row;
  std::string_view name;
} successors[] = {
    {&NodeObject::property("boneLength"), "bone"},
    {&NodeObject::property("mesh"), "meshInstance"},
    {&NodeObject::property("model"), "modelInstance"},
    {&RootObject::property("lights"), "light"},
    {&RootObject::property("models"), "files"},
    {&Item<model_instance_table>::property("model"), "file"},
    {&Item<texture_table>::property("images"), "files"},
    {&SurfaceObject::property("topology"), "geometry"},
    {&ShapeObject::property("normal"), "surfaces"},
    {&ShapeObject::property("textureMap"), "surfaces"},
    {&ShapeObject::property("topologyNormal"), "surfaces"},
    {&ShapeObject::property("topologyTextureMap"), "surfaces"},
    {&ChannelObject::property("perSimplex"), "elementMap"},
    {&ChannelObject::property("perEdge"), "elementMap"},
    {&ChannelObject::property("perVertex"), "elementMap"},
    {&ChannelObject::property("topologyTextureMap"), "textureMap"},
};

/// Returns what to use instead of a property that the revision does not have: its new name, its successor, or an object as value.
std::string advice(const Property& row, Revision revision) {
  if (knows(row.revisions, revision)) return format_text("use \"{}\"", row.name);
  const auto* const found = std::ranges::find(successors, &row, [](const auto& entry) { return entry.row; });
  return found == std::end(successors) ? "its value is now an object" : format_text("use \"{}\"", found->name);
}

// Every name proves that the file is at least as new as the name. Only a name that was dropped since proves that a file is old.
Revision newest_seen(JsonValue root) {
  Revision newest = Revision::r2025_08;
  bool only_old = false;
  auto look = [&](const JsonMember& member, const Property* row) {
    const std::uint8_t revisions = revisions_of(member, row);
    if (revisions == all) return;
    newest = std::max(newest, oldest(revisions));
    if (!knows(revisions, Revision::r2026_01)) only_old = true;
  };
  walk(root, root_table, look);
  return newest == Revision::r2025_08 && !only_old ? Revision::r2026_01 : newest;
}

}  // namespace

Revision find_revision(document::Reader& reader, std::optional<Revision> given) {
  const JsonValue root = reader.document().json().root();
  const Revision revision = given ? *given : newest_seen(root);
  bool mixed = false;
  auto compare = [&](const JsonMember& member, const Property* row) {
    const std::uint8_t revisions = revisions_of(member, row);
    if (knows(revisions, revision)) return;
    mixed = true;
    if (row == &NodeObject::property({"light", PropertyType::index}))
      reader.report("G4MF_NODE_LIGHT_INDEX"_code, member.value, excerpt(member.value));
    else if (oldest(revisions) < revision)
      reader.report("G4MF_JSON_OLD_PROPERTY"_code, member.value, member.key.string(), name_of(revision), advice(*row, revision));
  };
  walk(root, root_table, compare);
  if (mixed) reader.report("G4MF_JSON_MIXED_REVISIONS"_code, root, name_of(revision));
  return revision;
}

}  // namespace sinew::g4mf
