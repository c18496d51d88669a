// SPDX-License-Identifier: MIT
#include "operations/convert/gltf_rig.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "document/json/edit_members.hpp"
#include "document/json/json.hpp"
#include "document/schema/edited.hpp"
#include "document/schema/object.hpp"
#include "document/schema/reader.hpp"
#include "g4mf/schema/extras.hpp"

namespace sinew::operations {

namespace {

using document::JsonEdit;
using document::JsonKind;
using document::JsonValue;

constexpr auto skeleton_names = std::to_array<std::string_view>({"keep", "strict", "bone", "plain"});  // indexed by Skeletons

Skeletons skeletons_named(JsonValue name) {
  const auto found = std::ranges::find_if(skeleton_names, [&](std::string_view known) { return name.equals(known); });
  return found == skeleton_names.end() ? Skeletons::keep : static_cast<Skeletons>(found - skeleton_names.begin());
}

JsonEdit to_json(const std::vector<GltfRig::Skin>& skins, const std::vector<JsonValue>& nodes) {
  JsonEdit list = JsonEdit::array();
  for (const GltfRig::Skin& skin : skins) {
    JsonEdit& item = list.push_back(JsonEdit::object());
    document::set_name(item, skin.name);
    JsonEdit joints = JsonEdit::array();
    for (const Index joint : skin.joints) {
      const std::string name = nodes[joint]["name"].string();
      joints.push_back(name.empty() ? JsonEdit::integer(joint) : JsonEdit::string(name));
    }
    item.set("joints", std::move(joints));
  }
  return list;
}

/// Returns the node of an item of `joints`, or `none` if the node no longer exists.
Index node_of(JsonValue joint, const std::map<std::string, Index, std::less<>>& by_name, std::size_t count) {
  if (joint.is(JsonKind::string)) {
    const auto found = by_name.find(joint.string());
    return found == by_name.end() ? none : found->second;
  }
  const auto index = document::whole_number(joint);
  return index && *index < count ? static_cast<Index>(*index) : none;
}

}  // namespace

Result<std::shared_ptr<const document::Document>> with_gltf_rig(const std::shared_ptr<const document::Document>& g4mf, const Model& model,
                                                                const GltfRig& rig) {
  const JsonValue written = g4mf->json().root();
  JsonEdit root(written);
  const auto keep_names = [&](std::string_view list, const auto& entities) {
    const std::vector<JsonValue> items = document::list_of(written[list]);
    for (std::size_t i = 0; i < std::min(entities.size(), items.size()); ++i)
      if (items[i]["name"].string() != entities[i].name)
        document::object_in(root.find(list)->at(i), "extras").set(g4mf::original_name_extra, JsonEdit::string(entities[i].name));
  };
  keep_names("nodes", model.nodes);
  keep_names("meshes", model.meshes);
  keep_names("materials", model.materials);
  const std::vector<JsonValue> nodes = document::list_of(written["nodes"]);
  for (Index i = 0; i < rig.skin.size(); ++i) {
    JsonEdit note = JsonEdit::object();
    if (rig.added[i]) note.set("added", JsonEdit::boolean(true));
    if (i == 0 && rig.skeletons != Skeletons::keep)
      note.set("skeletons", JsonEdit::string(skeleton_names[static_cast<std::size_t>(rig.skeletons)]));
    if (const auto skins = rig.skins.find(i); skins != rig.skins.end()) note.set("skins", to_json(skins->second, nodes));
    document::set_index(note, "skin", rig.skin[i]);
    if (note.size() != 0) document::object_in(root.find("nodes")->at(i), "extras").set(g4mf::gltf_extra, std::move(note));
  }
  return document::with_text(*g4mf, root.text(), {});
}

void restore_names(const document::Document& g4mf, Model& model) {
  std::map<std::string, std::string> original;  // by the name in G4MF, where names of nodes are unique
  for (const JsonValue node : g4mf.json().root()["nodes"].elements())
    if (const JsonValue name = node["extras"][g4mf::original_name_extra]; name.is(JsonKind::string))
      original.emplace(node["name"].string(), name.string());
  for (Mesh& mesh : model.meshes)
    for (std::string& group : mesh.group_names)
      if (const auto known = original.find(group); known != original.end()) group = known->second;
  const auto restore = [&](std::string_view list, auto& entities) {
    auto entity = entities.begin();
    for (const JsonValue item : g4mf.json().root()[list].elements()) {
      if (entity == entities.end()) return;
      if (const JsonValue name = item["extras"][g4mf::original_name_extra]; name.is(JsonKind::string)) entity->name = name.string();
      ++entity;
    }
  };
  restore("nodes", model.nodes);
  restore("meshes", model.meshes);
  restore("materials", model.materials);
}

GltfRig gltf_rig_of(const document::Document& g4mf, const Model& model) {
  const std::size_t count = model.nodes.size();
  GltfRig rig{std::vector<Index>(count, none), {}, std::vector<bool>(count), Skeletons::keep};
  std::map<std::string, Index, std::less<>> by_name;
  for (Index i = 0; i < count; ++i)
    if (!model.nodes[i].name.empty()) by_name.emplace(model.nodes[i].name, i);
  Index i = 0;
  for (const JsonValue node : g4mf.json().root()["nodes"].elements()) {
    if (i == count) break;
    const Index index = i++;
    const JsonValue note = node["extras"][g4mf::gltf_extra];
    if (!note) continue;
    if (const auto skin = document::whole_number(note["skin"]); skin && *skin < none) rig.skin[index] = static_cast<Index>(*skin);
    rig.added[index] = note["added"].boolean().value_or(false);
    if (index == 0) rig.skeletons = skeletons_named(note["skeletons"]);
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

}  // namespace sinew::operations
