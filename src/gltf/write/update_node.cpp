// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/message.hpp"
#include "gltf/extensions/KHR_node_visibility.hpp"
#include "gltf/extensions/KHR_skeleton_bone.hpp"
#include "gltf/write/update_steps.hpp"

namespace sinew::gltf {
namespace {

/// A node before and after the edit, with its old JSON object and its edit.
struct NodeUpdate {
  Update& update;
  Index index;
  const Node& before;
  const Node& after;
  JsonValue old;

  [[nodiscard]] JsonEdit& edit() const { return update.editor.element("nodes", index); }
  [[nodiscard]] std::string pointer() const { return format_text("/nodes/{}", index); }
  /// Returns the object of an extension, or removes it.
  [[nodiscard]] JsonEdit* extension(std::string_view name, bool wanted) const {
    if (wanted) {
      update.editor.use_extension(name);
      return &extension_in(edit(), name);
    }
    erase_extension(edit(), name);
    update.editor.end_extension(name, "nodes");
    return nullptr;
  }
};

void update_transform(const NodeUpdate& node) {
  const LocalTransform& before = at_or_empty(node.update.before.rest_pose.locals, node.index);
  const LocalTransform& after = at_or_empty(node.update.after.rest_pose.locals, node.index);
  if (before == after) return;
  const NodeTransform old = node_transform(before), now = node_transform(after);
  if (now.note != nullptr) node.update.editor.reporter().lost(node.pointer(), now.note);
  const bool had_matrix{node.old["matrix"]};  // the other properties did not count beside it
  constexpr std::pair<std::string_view, std::vector<double> NodeTransform::*> parts[] = {{"matrix", &NodeTransform::matrix},
                                                                                         {"translation", &NodeTransform::translation},
                                                                                         {"rotation", &NodeTransform::rotation},
                                                                                         {"scale", &NodeTransform::scale}};
  for (const auto& [key, part] : parts) {
    // `old` is normalised and may differ from the file, so every changed rotor is written.
    const bool unlike = had_matrix || (key == "rotation" && before.rotor != after.rotor);
    if (old.*part != now.*part || (unlike && (!(now.*part).empty() || node.old[key]))) set_numbers(node.edit(), key, now.*part);
  }
}

void update_mesh_and_skin(const NodeUpdate& node) {
  const Index mesh = node.after.mesh == none ? none : node.update.mesh_places[node.after.mesh];
  const Index skin = node.after.skin == none ? none : node.update.skin_places[node.after.skin];
  if (node.after.mesh != node.before.mesh) {
    set_index(node.edit(), "mesh", mesh);
    if (mesh == none && node.after.mesh != none) node.update.editor.reporter().lost(node.pointer(), "its mesh is lost: it has no vertices");
  }
  if (node.after.skin != node.before.skin) {
    set_index(node.edit(), "skin", mesh == none ? none : skin);
    if (skin == none && node.after.skin != none) node.update.editor.reporter().lost(node.pointer(), "its skin is lost: it has no joints");
  }
  if (!node.after.materials.empty() && node.after.materials != node.before.materials)
    node.update.editor.reporter().lost(node.pointer(), "its own materials are lost: a glTF node cannot override the materials of its mesh");
}

// A node without weights uses its mesh's.
void update_amounts(const NodeUpdate& node) {
  const std::vector<double>& before = at_or_empty(node.update.before.rest_pose.amounts, node.index);
  const std::vector<double>& after = at_or_empty(node.update.after.rest_pose.amounts, node.index);
  const bool own{node.old["weights"]};
  const bool inherited =
      std::ranges::equal(after, at_or_empty(node.update.after.meshes, node.after.mesh).shapes, {}, {}, &BlendShape::amount);
  if (own ? before == after : inherited) return;
  set_or_erase(node.edit(), "weights", inherited ? std::nullopt : std::optional(numbers(after)));
}

void update_visibility(const NodeUpdate& node) {
  if (node.after.visible == node.before.visible) return;
  if (JsonEdit* const hidden = node.extension(visibility_extension, !node.after.visible)) hidden->set("visible", JsonEdit::boolean(false));
}

/// Returns whether a bone starts at the end of its parent's bone, and no clip moves it.
bool is_connected(const Model& model, Index index) {
  constexpr double tolerance = 1e-6;
  const Index parent = model.nodes[index].parent;
  const auto& translation = model.rest_pose.locals[index].translation;
  if (parent == none || !model.nodes[parent].bone || !model.nodes[parent].bone->length || translation.size() != 3) return false;
  const double length = *model.nodes[parent].bone->length, near = tolerance * length;
  if (!(length > 0 && std::abs(translation[0]) <= near && std::abs(translation[1] - length) <= near && std::abs(translation[2]) <= near))
    return false;
  for (const Clip& clip : model.clips)
    for (const Track& track : clip.tracks)
      if (track.node == index && track.path == TrackPath::translation) return false;
  return true;
}

// Keeps the stored value of `connected` as long as it can be true.
void update_connected(const NodeUpdate& node, JsonEdit& bone) {
  const bool connected = is_connected(node.update.after, node.index);
  if (!connected && bone.find("connected") != nullptr) bone.erase("connected");
  if (connected && !node.before.bone) bone.set("connected", JsonEdit::boolean(true));
}

void update_bone(const NodeUpdate& node) {
  const auto& [before, after] = std::pair(node.before.bone, node.after.bone);
  if (after && after->mass && !(before && before->mass == after->mass))
    node.update.editor.reporter().lost(node.pointer(), "the mass of the bone is lost: glTF cannot store it");
  if (after.has_value() == before.has_value() && (!after || after->length == before->length)) return;
  JsonEdit* const bone = node.extension(skeleton_bone_extension, after.has_value());
  if (bone == nullptr) return;
  set_or_erase(*bone, "length", after->length ? std::optional(JsonEdit::number(*after->length)) : std::nullopt);
  update_connected(node, *bone);
}

void update_node(const NodeUpdate& node) {
  if (!node.old) static_cast<void>(node.edit());
  if (node.after.name != node.before.name) set_name(node.edit(), node.after.name);
  if (node.after.children != node.before.children) set_indices(node.edit(), "children", node.after.children);
  update_transform(node);
  update_mesh_and_skin(node);
  update_amounts(node);
  update_visibility(node);
  update_bone(node);
}

}  // namespace

void update_nodes(Update& update) {
  const std::vector<JsonValue> old = update.editor.old_list("nodes");
  for (Index i = 0; i < update.after.nodes.size(); ++i)
    update_node({update, i, at_or_empty(update.before.nodes, i), update.after.nodes[i], at_or_empty(old, i)});
}

// A default scene that replaces a missing one is not in the file.
void update_scenes(Update& update) {
  const std::size_t known = update.editor.old_root()["scenes"].size();
  for (std::size_t i = 0; i < update.after.scenes.size(); ++i) {
    if (i >= known && i < update.before.scenes.size()) continue;
    const Scene& before = at_or_empty(update.before.scenes, i);
    const Scene& after = update.after.scenes[i];
    const auto edit = [&]() -> JsonEdit& { return update.editor.element("scenes", i); };
    if (i >= known) static_cast<void>(edit());
    if (after.name != before.name) set_name(edit(), after.name);
    if (after.roots != before.roots) set_indices(edit(), "nodes", after.roots);
  }
  if (update.after.default_scene != update.before.default_scene) set_index(update.editor.root(), "scene", update.after.default_scene);
}

void update_materials(Update& update) {
  for (std::size_t i = 0; i < update.after.materials.size(); ++i) {
    const bool known = i < update.before.materials.size();
    if (known && update.after.materials[i].name == update.before.materials[i].name) continue;
    set_name(update.editor.element("materials", i), update.after.materials[i].name);
  }
}

}  // namespace sinew::gltf
