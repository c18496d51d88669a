// SPDX-License-Identifier: MIT
#include "operations/convert/gltf_rig.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "document/json/edit_members.hpp"
#include "document/json/json.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/object.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonKind;
using document::JsonMember;
using document::JsonValue;

constexpr std::string_view key = "glTF", name_key = "originalName";

JsonEdit to_json(const std::vector<GltfRig::Skin>& skins, const JsonValue nodes) {
  JsonEdit list = JsonEdit::array();
  for (const GltfRig::Skin& skin : skins) {
    JsonEdit& item = list.push_back(JsonEdit::object());
    document::set_name(item, skin.name);
    JsonEdit joints = JsonEdit::array();
    for (const Index joint : skin.joints) {
      const std::string name = nodes.at(joint)["name"].string();
      joints.push_back(name.empty() ? JsonEdit::integer(joint) : JsonEdit::string(name));
    }
    item.set("joints", std::move(joints));
  }
  return list;
}

/// The node that an item of `joints` names; none where there is no such node any more.
Index node_of(JsonValue joint, const std::map<std::string, Index, std::less<>>& by_name, std::size_t count) {
  if (joint.is(JsonKind::string)) {
    const auto found = by_name.find(joint.string());
    return found == by_name.end() ? none : found->second;
  }
  const auto index = document::whole_number(joint);
  return index && *index < count ? static_cast<Index>(*index) : none;
}

}  // namespace

Result<std::shared_ptr<const document::Document>> with_gltf_rig(const std::shared_ptr<const document::Document>& g4mf, const GltfRig& rig) {
  const JsonValue nodes = g4mf->json().root()["nodes"];
  JsonEdit root(g4mf->json().root());
  bool changed = false;
  for (Index i = 0; i < rig.names.size(); ++i) {
    const auto skins = rig.skins.find(i);
    const bool renamed = !rig.names[i].empty() && !nodes.at(i)["name"].equals(rig.names[i]);
    const bool added = i == 0 && rig.added_root;
    if (!renamed && !added && skins == rig.skins.end() && rig.skin[i] == none) continue;
    JsonEdit note = JsonEdit::object();
    if (added) note.set("added", JsonEdit::boolean(true));
    if (skins != rig.skins.end()) note.set("skins", to_json(skins->second, nodes));
    document::set_index(note, "skin", rig.skin[i]);
    JsonEdit& extras = document::object_in(root.find("nodes")->at(i), "extras");
    if (renamed) extras.set(name_key, JsonEdit::string(rig.names[i]));
    if (note.size() != 0) extras.set(key, std::move(note));
    changed = true;
  }
  if (!changed) return g4mf;
  return document::with_text(*g4mf, root.text(), {});
}

GltfRig gltf_rig_of(const document::Document& g4mf, const Model& model) {
  const std::size_t count = model.nodes.size();
  GltfRig rig{std::vector<std::string>(count), std::vector<Index>(count, none), {}, false};
  std::map<std::string, Index, std::less<>> by_name;
  for (Index i = 0; i < count; ++i)
    if (!model.nodes[i].name.empty()) by_name.emplace(model.nodes[i].name, i);
  Index i = 0;
  for (const JsonValue node : g4mf.json().root()["nodes"].elements()) {
    if (i == count) break;
    const Index index = i++;
    rig.names[index] = node["extras"][name_key].string();
    const JsonValue note = node["extras"][key];
    if (!note) continue;
    if (const auto skin = document::whole_number(note["skin"]); skin && *skin < none) rig.skin[index] = static_cast<Index>(*skin);
    if (index == 0) rig.added_root = note["added"].boolean().value_or(false);
    for (const JsonValue item : note["skins"].elements()) {
      GltfRig::Skin& skin = rig.skins[index].emplace_back();
      skin.name = item["name"].string();
      std::set<Index> listed;
      for (const JsonValue joint : item["joints"].elements()) {
        const Index found = node_of(joint, by_name, count);
        if (found == none || !listed.insert(found).second) {
          skin.joints.clear();
          break;
        }
        skin.joints.push_back(found);
      }
    }
  }
  return rig;
}

bool is_gltf_rig(JsonValue extras) {
  if (!extras.is(JsonKind::object)) return false;
  for (const JsonMember member : extras.members())
    if (!member.key.equals(key) && !member.key.equals(name_key)) return false;
  return true;
}

}  // namespace sinew::operations
