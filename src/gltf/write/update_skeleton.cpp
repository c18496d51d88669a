// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/message.hpp"
#include "gltf/extensions/STAIK_skeletons.hpp"
#include "gltf/schema/element_format.hpp"
#include "gltf/schema/source.hpp"
#include "gltf/write/update_steps.hpp"

namespace sinew::gltf {
namespace {

Result<> update_bind(Update& update, Index place, const Skin& before, const Skin& after) {
  const bool same_matrices = after.bind != Skin::Bind::matrices || after.joint_from_mesh == before.joint_from_mesh;
  if (after.bind == before.bind && same_matrices) return {};
  if (after.bind == Skin::Bind::skeleton_pose)
    return update.editor.refuse(format_text("/skins/{}", place),
                                "found a skin that is bound to the pose of a skeleton; glTF needs bind matrices");
  const Index matrices = after.bind == Skin::Bind::matrices ? update.editor.add_matrices(after.joint_from_mesh) : none;
  set_index(update.editor.element("skins", place), "inverseBindMatrices", matrices);
  return {};
}

Result<> update_skin(Update& update, Index place, const Skin& before, const Skin& after) {
  const auto edit = [&]() -> JsonEdit& { return update.editor.element("skins", place); };
  if (after.name != before.name) set_name(edit(), after.name);
  if (auto done = update_bind(update, place, before, after); !done) return done;
  if (after.slots != before.slots) {
    if (std::ranges::find(after.slots, none) != after.slots.end())
      return update.editor.refuse(format_text("/skins/{}/joints", place),
                                  "found a joint slot without a node; glTF needs a node for every joint");
    set_indices(edit(), "joints", after.slots);
  }
  if (after.root_hint != before.root_hint) set_index(edit(), "skeleton", after.root_hint);
  return {};
}

bool same_skeleton(const Skeleton& a, const Skeleton& b) {
  return a.name == b.name && a.root == b.root && a.joints == b.joints && a.joint_from_mesh == b.joint_from_mesh;
}

/// Returns, for each node, the skeleton that lists it as a joint, or `none`.
std::vector<Index> skeletons_of_nodes(const Model& model) {
  std::vector<Index> owners(model.nodes.size(), none);
  for (std::size_t s = model.skeletons.size(); s-- > 0;)
    for (const Index joint : model.skeletons[s].joints)
      if (joint < owners.size()) owners[joint] = static_cast<Index>(s);
  return owners;
}

/// Returns the skeleton that has all joints of the skin, or `none`.
Index owner_of(const Skin& skin, const std::vector<Index>& owners) {
  if (skin.slots.empty()) return none;
  const Index owner = owners[skin.slots.front()];
  return std::ranges::all_of(skin.slots, [&](Index joint) { return owners[joint] == owner; }) ? owner : none;
}

/// Sets or removes the only member of an extension object.
void update_mark(Update& update, std::string_view list, std::size_t index, JsonValue old, std::string_view key, Index wanted) {
  const JsonValue extension = old["extensions"][staik_extension];
  if (wanted == none) {
    if (extension) erase_extension(update.editor.element(list, index), staik_extension);
  } else if (extension[key].integer() != static_cast<std::int64_t>(wanted)) {
    set_index(extension_in(update.editor.element(list, index), staik_extension), key, wanted);
  }
}

/// Writes which skeleton each skin belongs to, and each node if the skeletons changed.
void update_owners(Update& update, bool changed) {
  const std::vector<JsonValue> skins = update.editor.old_list("skins"), nodes = update.editor.old_list("nodes");
  const std::vector<Index> owners = skeletons_of_nodes(update.after);
  for (std::size_t i = 0; i < update.after.skins.size(); ++i) {
    const Index place = update.skin_places[i];
    const Skin& skin = update.after.skins[i];
    if (place == none || !(changed || skin.slots != at_or_empty(update.before.skins, i).slots)) continue;
    update_mark(update, "skins", place, at_or_empty(skins, place), "skeleton_owner", owner_of(skin, owners));
  }
  for (std::size_t i = 0; changed && i < owners.size(); ++i) update_mark(update, "nodes", i, at_or_empty(nodes, i), "skeleton", owners[i]);
}

/// Returns whether a skeleton may share the accessor of a skin. The rules for its matrices are stricter: they must be packed, and their
/// last rows must be (0, 0, 0, 1). Only plain floats are checked; sparse and compressed accessors are always shared.
bool sound_matrices(const Document& document, JsonValue index) {
  const JsonValue root = document.json().root(), accessor = element(root["accessors"], index);
  const JsonValue view = element(root["bufferViews"], accessor["bufferView"]);
  if (!accessor || view["byteStride"]) return false;
  if (accessor["sparse"] || view["extensions"]) return true;
  const auto bytes = view_bytes(document, view);
  const std::uint64_t start = whole_number(accessor["byteOffset"]).value_or(0), count = whole_number(accessor["count"]).value_or(0);
  const auto end = layout_of(ComponentType::float32, 4, 4).end(start, count, 16 * sizeof(float));
  if (!bytes || !end || *end > bytes->view.size()) return false;
  std::vector<float> numbers(count * 16);
  if (count != 0) std::memcpy(numbers.data(), bytes->view.data() + start, *end - start);
  for (std::size_t i = 3; i < numbers.size(); i += 4)
    if (numbers[i] != (i % 16 == 15 ? 1.0f : 0.0f)) return false;
  return true;
}

/// Returns the accessor of a skin with equal matrices, or adds one.
JsonEdit matrices_of(Update& update, const Skeleton& skeleton) {
  for (std::size_t i = 0; i < update.after.skins.size(); ++i) {
    const Skin& skin = update.after.skins[i];
    if (skin.bind != Skin::Bind::matrices || update.skin_places[i] == none || skin.joint_from_mesh != skeleton.joint_from_mesh) continue;
    const JsonEdit* accessor = update.editor.element("skins", update.skin_places[i]).find("inverseBindMatrices");
    if (accessor == nullptr) continue;
    const JsonValue in_file = accessor->source();  // nothing for a new one
    if (!in_file || sound_matrices(update.editor.document(), in_file)) return *accessor;
  }
  return JsonEdit::integer(update.editor.add_matrices(skeleton.joint_from_mesh));
}

void update_list(Update& update) {
  const auto list = [&]() -> JsonEdit& { return list_in(extension_in(update.editor.root(), staik_extension), "skeletons"); };
  const std::size_t count = update.after.skeletons.size();
  while (list().size() > count) list().erase_at(list().size() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const Skeleton& before = at_or_empty(update.before.skeletons, i);
    const Skeleton& after = update.after.skeletons[i];
    if (i == list().size()) list().push_back(JsonEdit::object());
    if (same_skeleton(before, after)) continue;
    const bool bound = !after.joint_from_mesh.empty() && after.joint_from_mesh != before.joint_from_mesh;
    JsonEdit matrices = bound ? matrices_of(update, after) : JsonEdit();
    JsonEdit& skeleton = list().at(i);
    if (!skeleton.is(JsonKind::object)) skeleton = JsonEdit::object();
    if (after.name != before.name) set_name(skeleton, after.name);
    set_index(skeleton, "root", after.root);
    set_indices(skeleton, "joints", after.joints);
    if (bound)
      skeleton.set("inverseBindMatrices", std::move(matrices));
    else if (after.joint_from_mesh.empty())
      skeleton.erase("inverseBindMatrices");
  }
}

}  // namespace

Result<> update_skins(Update& update) {
  for (std::size_t i = 0; i < update.after.skins.size(); ++i) {
    const Index place = update.skin_places[i];
    if (place == none) continue;
    if (auto done = update_skin(update, place, at_or_empty(update.before.skins, i), update.after.skins[i]); !done) return done;
  }
  return {};
}

void update_skeletons(Update& update) {
  const bool changed = !std::ranges::equal(update.before.skeletons, update.after.skeletons, same_skeleton);
  if (!changed && update.after.skeletons.empty()) return;
  update_owners(update, changed);
  if (!changed) return;
  if (update.after.skeletons.empty()) {
    erase_extension(update.editor.root(), staik_extension);
    update.editor.forget_extension(staik_extension);
  } else {
    update_list(update);
    update.editor.use_extension(staik_extension);
  }
}

}  // namespace sinew::gltf
