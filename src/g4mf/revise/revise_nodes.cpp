// SPDX-License-Identifier: MIT
#include "g4mf/revise/revise_nodes.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "base/message.hpp"
#include "document/files/uri.hpp"
#include "g4mf/write/names.hpp"

namespace sinew::g4mf {

namespace {

constexpr std::string_view components[] = {"camera", "light", "mesh", "meshInstance", "model", "modelInstance", "physics", "skeleton"};

bool is_bone_object(JsonValue node) {
  const auto length = node["boneLength"].number();
  return node["bone"].is(JsonKind::object) || (length && *length >= 0);
}

/// Renames a member and sets its value. Its position in the object stays.
JsonEdit& replace(JsonEdit& object, std::string_view old_name, std::string_view name, JsonEdit value) {
  object.rename(old_name, name);
  return object.set(name, std::move(value));
}

void wrap(JsonEdit& edit, JsonValue node, std::string_view old_name, std::string_view name, std::string_view inner) {
  if (!node[old_name].is(JsonKind::number) || node[name]) return;
  JsonEdit instance = JsonEdit::object();
  instance.set(inner, JsonEdit(node[old_name]));
  replace(edit, old_name, name, std::move(instance));
}

void revise_bone_length(Reviser& reviser, JsonEdit& edit, JsonValue node) {
  const JsonValue length = node["boneLength"];
  if (!length || node["bone"]) return;
  if (length.number() && *length.number() >= 0) {
    JsonEdit bone = JsonEdit::object();
    bone.set("length", JsonEdit(length));
    replace(edit, "boneLength", "bone", std::move(bone));
    return;
  }
  edit.erase("boneLength");
  if (length.number() != -1.0) reviser.lost(length, format_text("the length {}: the node is not a bone", excerpt(length)));
}

/// Moves a light from the list of 2025-08 into its node.
Checked<> put_light(Reviser& reviser, ItemCopies& lights, JsonEdit& edit, JsonValue node) {
  const JsonValue value = node["light"];
  if (!value.is(JsonKind::number)) return {};
  const Index index = index_of(value);
  if (index >= lights.size()) {
    edit.erase("light");
    reviser.lost(value, format_text("light index {}; the file has {} lights", excerpt(value), lights.size()));
    return {};
  }
  return lights.copy(index, value, "the name of a light at a second node").map([&](JsonEdit light) {
    edit.set("light", std::move(light));
  });
}

}  // namespace

NodeTree::NodeTree(const std::vector<JsonValue>& nodes)
    : parents(nodes.size(), none), children(nodes.size()), bones(nodes.size()), skeletons(nodes.size()) {
  for (Index i = 0; i < nodes.size(); ++i) {
    skeletons[i] = nodes[i]["skeleton"].is(JsonKind::object);
    bones[i] = !skeletons[i] && is_bone_object(nodes[i]);
    for (const JsonValue value : nodes[i]["children"].elements()) {
      const Index child = index_of(value);
      if (child == 0 || child >= nodes.size() || parents[child] != none) continue;
      parents[child] = i;
      children[i].push_back(child);
    }
  }
}

Index mesh_of(JsonValue node) { return index_of(node["meshInstance"] ? node["meshInstance"]["mesh"] : node["mesh"]); }

std::vector<Index> NodeTree::downwards() const {
  std::vector<Index> order;
  for (Index i = 0; i < parents.size(); ++i)
    if (parents[i] == none) order.push_back(i);
  for (std::size_t next = 0; next < order.size(); ++next) {
    const Index node = order[next];
    order.insert(order.end(), children[node].begin(), children[node].end());
  }
  return order;
}

SkinStep::SkinStep(Reviser& reviser)
    : reviser_(reviser), nodes_(reviser.old_list("nodes")), meshes_(reviser.old_list("meshes")), tree_(nodes_), users_(meshes_.size()) {
  for (Index node = 0; node < nodes_.size(); ++node) {
    const Index parent = tree_.parents[node], mesh = parent != none && tree_.skeletons[parent] ? mesh_of(nodes_[node]) : none;
    if (mesh < meshes_.size()) users_[mesh].push_back(node);
  }
}

Checked<> nodes_to_2026_01(Reviser& reviser) {
  const std::vector<JsonValue> nodes = reviser.old_list("nodes");
  ItemCopies lights(reviser, "lights");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is(JsonKind::object)) continue;
    if (!nodes[i]["mesh"] && !nodes[i]["model"] && !nodes[i]["light"] && !nodes[i]["boneLength"]) continue;
    JsonEdit& edit = reviser.element("nodes", i);
    wrap(edit, nodes[i], "mesh", "meshInstance", "mesh");
    wrap(edit, nodes[i], "model", "modelInstance", "model");
    if (auto done = put_light(reviser, lights, edit, nodes[i]); !done) return done;
    revise_bone_length(reviser, edit, nodes[i]);
  }
  lights.drop_list("a light that no node uses");
  return {};
}

namespace {

class BoneJoiner {
 public:
  explicit BoneJoiner(Reviser& reviser)
      : reviser_(reviser), nodes_(reviser.old_list("nodes")), tree_(nodes_), anchored_(nodes_.size()), blocked_(nodes_.size()) {}

  void join() {
    for (const Index node : tree_.downwards()) {
      const Index parent = tree_.parents[node];
      const bool held = parent != none && holds(parent);
      if (tree_.bones[node] && !held) {
        if (parent != none && anchored_[parent] && !blocked_[parent])
          fill(node);
        else
          drop(node, parent != none && anchored_[parent]);
      }
      anchored_[node] = held || (parent != none && anchored_[parent]);
      blocked_[node] = !tree_.bones[node] && (has_component(node) || (!held && parent != none && blocked_[parent]));
    }
  }

 private:
  [[nodiscard]] bool holds(Index node) const { return tree_.bones[node] || tree_.skeletons[node]; }
  [[nodiscard]] bool has_component(Index node) const {
    return std::ranges::any_of(components, [&](std::string_view name) { return static_cast<bool>(nodes_[node][name]); });
  }

  void fill(Index bone) {
    for (Index node = tree_.parents[bone]; !holds(node); node = tree_.parents[node]) {
      tree_.bones[node] = true;
      JsonEdit& edit = reviser_.element("nodes", node);
      edit.erase("boneLength");
      edit.set("bone", JsonEdit::object());
      reviser_.changed(nodes_[node], format_text("the node is now a bone, because bone {} below it needs an unbroken chain", bone));
    }
  }

  void drop(Index bone, bool anchored) {
    tree_.bones[bone] = false;
    JsonEdit& edit = reviser_.element("nodes", bone);
    for (const std::string_view name : {"bone", "boneLength"}) edit.erase(name);
    reviser_.lost(nodes_[bone], anchored ? "a bone below a node that is no bone; the node is no longer a bone"
                                         : "a bone without a skeleton; the node is no longer a bone");
  }

  Reviser& reviser_;
  std::vector<JsonValue> nodes_;
  NodeTree tree_;
  std::vector<bool> anchored_;  ///< an ancestor is a bone or a skeleton
  std::vector<bool> blocked_;   ///< this node, or one between it and that ancestor, has another component
};

}  // namespace

// A node without components between a bone and its skeleton becomes a bone, which moves nothing. Otherwise the bone becomes a plain node.
void join_bones(Reviser& reviser) { BoneJoiner(reviser).join(); }

namespace {

/// Returns the overrides of an instance as text to compare, `no_overrides` if there are none.
std::string overrides_of(JsonValue instance) {
  const bool materials = std::ranges::any_of(list_of(instance["materials"]), [](JsonValue value) { return value.number() != -1.0; });
  return format_text("{}|{}", materials ? instance["materials"].text() : "", instance["blendAmounts"].text());
}
constexpr std::string_view no_overrides = "|";

/// Replaces instances of 2026-01 by plain indices. Meshes with overrides become separate meshes.
class Instances {
 public:
  explicit Instances(Reviser& reviser)
      : reviser_(reviser), nodes_(reviser.old_list("nodes")), meshes_(reviser.old_list("meshes")), names_(reviser.old_root()) {}

  Checked<> revise() {
    for (Index node = 0; node < nodes_.size(); ++node) {
      const JsonValue instance = nodes_[node]["meshInstance"];
      if (!instance.is(JsonKind::object)) continue;
      reviser_.lost_item(instance, "a mesh instance");
      JsonEdit& edit = reviser_.element("nodes", node);
      if (!instance["mesh"]) {
        edit.erase("meshInstance");
        reviser_.lost(instance, "a mesh instance without a mesh");
        continue;
      }
      replace(edit, "meshInstance", "mesh", JsonEdit(instance["mesh"]));
      const Index mesh = index_of(instance["mesh"]);
      if (mesh < meshes_.size() && meshes_[mesh].is(JsonKind::object)) users_[mesh][overrides_of(instance)].push_back(node);
    }
    for (const auto& [mesh, variants] : users_)
      if (auto done = revise_mesh(mesh, variants); !done) return done;
    return {};
  }

 private:
  using Variants = std::map<std::string, std::vector<Index>, std::less<>>;

  // Instances without overrides keep the mesh. If there are none, the first variant keeps it.
  Checked<> revise_mesh(Index mesh, const Variants& variants) {
    const bool plain = variants.contains(no_overrides);
    bool taken = plain;
    for (const auto& [overrides, nodes] : variants) {
      if (overrides == no_overrides) continue;
      const JsonValue instance = nodes_[nodes.front()]["meshInstance"];
      if (!taken) {
        taken = true;
        apply(reviser_.element("meshes", mesh), meshes_[mesh], instance);
        reviser_.changed(instance, format_text("the overrides of the instance are now in mesh {}", mesh));
        continue;
      }
      if (auto room = reviser_.take_copy(meshes_[mesh]); !room) return room;
      const auto copy = static_cast<Index>(reviser_.list("meshes").size());
      apply(reviser_.list("meshes").push_back(renamed_copy(meshes_[mesh], names_)), meshes_[mesh], instance);
      for (const Index node : nodes) reviser_.element("nodes", node).set("mesh", JsonEdit::integer(copy));
      reviser_.changed(instance, format_text("mesh {} is a renamed copy of mesh {} with the overrides of the instance", copy, mesh));
    }
    return {};
  }

  void apply(JsonEdit& mesh, JsonValue old, JsonValue instance) {
    const std::vector<JsonValue> materials = list_of(instance["materials"]);
    for (std::size_t i = 0; i < old["surfaces"].size() && !materials.empty(); ++i) {
      const JsonValue material = materials[std::min(i, materials.size() - 1)];
      JsonEdit& surface = mesh.find("surfaces")->at(i);
      if (index_of(material) != none && surface.is(JsonKind::object)) surface.set("material", JsonEdit(material));
    }
    if (!instance["blendAmounts"]) return;
    JsonEdit* const blend = mesh.find("blend");
    if (blend != nullptr && blend->is(JsonKind::object))
      blend->set("amounts", JsonEdit(instance["blendAmounts"]));
    else if (instance["blendAmounts"].size() != 0)
      reviser_.lost(instance["blendAmounts"], "blend amounts of a mesh without blend shapes");
  }

  Reviser& reviser_;
  std::vector<JsonValue> nodes_, meshes_;
  Names names_;
  std::map<Index, Variants> users_;
};

void unwrap_model(Reviser& reviser, JsonEdit& edit, JsonValue instance) {
  if (!instance.is(JsonKind::object)) return;
  reviser.lost_item(instance, "a model instance", {"nodeOverrides", "materialOverrides", "nodeAdditionalChildren"});
  if (instance["model"]) {
    replace(edit, "modelInstance", "model", JsonEdit(instance["model"]));
  } else {
    edit.erase("modelInstance");
    reviser.lost(instance, "a model instance without a model");
  }
}

void unwrap_bone(Reviser& reviser, JsonEdit& edit, JsonValue bone) {
  if (!bone.is(JsonKind::object)) return;
  reviser.lost_item(bone, "a bone", {"mass", "shape"});
  if (!bone["length"]) reviser.changed(bone, "the bone has no length; it is now 0");
  replace(edit, "bone", "boneLength", bone["length"] ? JsonEdit(bone["length"]) : JsonEdit::integer(0));
}

void list_lights(Reviser& reviser, const std::vector<JsonValue>& nodes) {
  std::map<std::string_view, std::size_t> placed;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const JsonValue light = nodes[i]["light"];
    if (!light.is(JsonKind::object)) continue;
    JsonEdit& lights = reviser.list("lights");
    const auto [place, added] = placed.emplace(light.text(), lights.size());
    if (added) lights.push_back(JsonEdit(light));
    reviser.element("nodes", i).set("light", JsonEdit::integer(place->second));
  }
}

void report_address(Reviser& reviser, JsonValue uri) {
  const std::string text = uri.string(), scheme(scheme_of(text));
  if (scheme.empty() || is_data_uri(text)) return;
  reviser.lost(uri, format_text("a URI with the scheme {}:, which stays as it is", scheme));
}

void report_addresses(Reviser& reviser) {
  for (const JsonValue buffer : reviser.old_list("buffers")) report_address(reviser, buffer["uri"]);
  for (const JsonValue model : reviser.old_list("models")) report_address(reviser, model["uri"]);
  for (const JsonValue texture : reviser.old_list("textures"))
    for (const JsonValue image : texture["images"].elements()) report_address(reviser, image["uri"]);
}

}  // namespace

Checked<> nodes_to_2025_08(Reviser& reviser) {
  const std::vector<JsonValue> nodes = reviser.old_list("nodes"), views = reviser.old_list("bufferViews");
  if (auto done = Instances(reviser).revise(); !done) return done;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i]["modelInstance"] && !nodes[i]["bone"]) continue;
    JsonEdit& edit = reviser.element("nodes", i);
    unwrap_model(reviser, edit, nodes[i]["modelInstance"]);
    unwrap_bone(reviser, edit, nodes[i]["bone"]);
  }
  list_lights(reviser, nodes);
  for (std::size_t i = 0; i < views.size(); ++i)
    if (views[i].is(JsonKind::object) && !views[i]["buffer"]) reviser.element("bufferViews", i).set("buffer", JsonEdit::integer(0));
  const JsonValue asset = reviser.old_root()["asset"];
  for (const std::string_view name : {"extensionDependencies", "specification"}) {
    if (!asset[name]) continue;
    reviser.lost(asset[name], format_text("\"{}\"", name));
    reviser.root().find("asset")->erase(name);
  }
  report_addresses(reviser);
  return {};
}

}  // namespace sinew::g4mf
