// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "gltf/read/accessors.hpp"
#include "gltf/schema/extensions.hpp"
#include "gltf/write/update_parts.hpp"

namespace sinew::gltf {
namespace {

bool same_skeleton(const Skeleton& a, const Skeleton& b) {
  return a.name == b.name && a.root == b.root && a.joints == b.joints && a.joint_from_mesh == b.joint_from_mesh;
}

/// By node: the skeleton that it is a joint of; none.
std::vector<Index> skeletons_of_nodes(const Model& model) {
  std::vector<Index> owners(model.nodes.size(), none);
  for (std::size_t s = model.skeletons.size(); s-- > 0;)
    for (const Index joint : model.skeletons[s].joints)
      if (joint < owners.size()) owners[joint] = static_cast<Index>(s);
  return owners;
}

/// The skeleton of all joints of the skin; none where they have several.
Index owner_of(const Skin& skin, const std::vector<Index>& owners) {
  if (skin.slots.empty()) return none;
  const Index owner = owners[skin.slots.front()];
  return std::ranges::all_of(skin.slots, [&](Index joint) { return owners[joint] == owner; }) ? owner : none;
}

/// Sets or takes away the one member of an extension object.
void update_mark(Update& update, std::string_view list, std::size_t index, JsonValue old, std::string_view key, Index wanted) {
  const JsonValue extension = old["extensions"][staik_extension];
  if (wanted == none) {
    if (extension) erase_extension(update.editing.element(list, index), staik_extension);
  } else if (extension[key].integer() != static_cast<std::int64_t>(wanted)) {
    set_index(extension_in(update.editing.element(list, index), staik_extension), key, wanted);
  }
}

void update_marks(Update& update) {
  const std::vector<Index> owners = skeletons_of_nodes(update.after);
  const std::vector<JsonValue> nodes = update.editing.old_list("nodes");
  for (std::size_t i = 0; i < owners.size(); ++i)
    update_mark(update, "nodes", i, i < nodes.size() ? nodes[i] : JsonValue(), "skeleton", owners[i]);
}

void update_owners(Update& update, bool all) {
  const std::vector<JsonValue> skins = update.editing.old_list("skins");
  const std::vector<Index> owners = skeletons_of_nodes(update.after);
  for (std::size_t i = 0; i < update.after.skins.size(); ++i) {
    const Index place = update.skin_places[i];
    const Skin& skin = update.after.skins[i];
    if (place == none || !(all || skin.slots != at_or_empty(update.before.skins, i).slots)) continue;
    update_mark(update, "skins", place, place < skins.size() ? skins[place] : JsonValue(), "skeleton_owner", owner_of(skin, owners));
  }
}

/// Looks at accessors of the file that a skeleton may share with a skin: the rules for its matrices have less patience.
class SoundMatrices {
 public:
  explicit SoundMatrices(const document::Document& document)
      : reading_(document, ignored_, model_), buffers_(reading_), accessors_(reading_, buffers_) {}

  [[nodiscard]] bool has(std::int64_t accessor) {
    if (accessor < 0 || static_cast<std::uint64_t>(accessor) >= reading_.count(Reference::accessor)) return false;
    const auto index = static_cast<Index>(accessor);
    const auto& format = accessors_.format(index);
    if (!format || format->strided) return false;
    const auto values = accessors_.array(index);
    if (!values) return false;
    const std::vector<double> numbers = values->read<double>();
    for (std::size_t i = 3; i < numbers.size(); i += 4)
      if (numbers[i] != (i % 16 == 15 ? 1 : 0)) return false;
    return true;
  }

 private:
  FindingList ignored_;
  Model model_;
  Reading reading_;
  Buffers buffers_;
  Accessors accessors_;
};

/// The accessor of a skin with the same matrices, or a new one.
JsonEdit matrices_of(Update& update, const Skeleton& skeleton, SoundMatrices& sound) {
  for (std::size_t i = 0; i < update.after.skins.size(); ++i) {
    const Skin& skin = update.after.skins[i];
    if (skin.bind != Skin::Bind::matrices || update.skin_places[i] == none || skin.joint_from_mesh != skeleton.joint_from_mesh) continue;
    const JsonEdit* accessor = update.editing.element("skins", update.skin_places[i]).find("inverseBindMatrices");
    if (accessor == nullptr) continue;
    const auto in_file = accessor->source().integer();  // nothing for a new one
    if (!accessor->source() || (in_file && sound.has(*in_file))) return *accessor;
  }
  return JsonEdit::integer(update.editing.add_matrices(skeleton.joint_from_mesh));
}

void update_list(Update& update) {
  SoundMatrices sound(update.editing.document());
  const auto list = [&]() -> JsonEdit& { return list_in(extension_in(update.editing.root(), staik_extension), "skeletons"); };
  const std::size_t count = update.after.skeletons.size();
  while (list().size() > count) list().erase_at(list().size() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const Skeleton& before = at_or_empty(update.before.skeletons, i);
    const Skeleton& after = update.after.skeletons[i];
    if (i == list().size()) list().push_back(JsonEdit::object());
    if (same_skeleton(before, after)) continue;
    const bool bound = !after.joint_from_mesh.empty() && after.joint_from_mesh != before.joint_from_mesh;
    JsonEdit matrices = bound ? matrices_of(update, after, sound) : JsonEdit();
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

void update_skeletons(Update& update) {
  const bool changed = !std::ranges::equal(update.before.skeletons, update.after.skeletons, same_skeleton);
  if (!changed && update.after.skeletons.empty()) return;
  update_owners(update, changed);
  if (!changed) return;
  update_marks(update);
  if (update.after.skeletons.empty()) {
    erase_extension(update.editing.root(), staik_extension);
    update.editing.forget_extension(staik_extension);
  } else {
    update_list(update);
    update.editing.use_extension(staik_extension);
  }
}

}  // namespace sinew::gltf
