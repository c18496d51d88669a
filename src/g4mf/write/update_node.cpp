// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "g4mf/write/stored_form.hpp"
#include "g4mf/write/updating.hpp"

namespace sinew::g4mf {

namespace {

class NodeUpdate {
 public:
  NodeUpdate(Updating& updating, std::size_t index)
      : updating_(updating),
        index_(index),
        before_(find_at(updating.before().nodes, index)),
        after_(updating.after().nodes[index]),
        local_(updating.stored(index)) {
    if (before_ == nullptr) static_cast<void>(item());  // its place, in order
  }

  Result<> run() {
    if (before_ == nullptr || before_->name != after_.name) updating_.put_name(item(), before_, after_);
    if (before_ == nullptr ? !after_.children.empty() : before_->children != after_.children) put_children();
    if (before_ == nullptr ? !after_.visible : before_->visible != after_.visible) {
      if (after_.visible)
        item().erase("visible");
      else
        item().set("visible", JsonEdit::boolean(false));
    }
    if (auto done = put_transform(); !done) return done;
    put_bone();
    return put_mesh();
  }

 private:
  [[nodiscard]] JsonEdit& item() { return updating_.item(RootRow::nodes, index_); }

  void put_children() {
    item().erase("children");
    if (after_.children.empty()) return;
    JsonEdit children = JsonEdit::array();
    for (const Index child : after_.children) children.push_back(JsonEdit::integer(child));
    item().set("children", std::move(children));
  }

  Result<> put_transform() {
    const LocalTransform old = before_ != nullptr ? updating_.was_stored(index_) : LocalTransform{};
    if (old == local_) return {};
    const std::size_t dimension = updating_.after().dimension;
    if (!is_finite(affine_of(dimension, local_))) return updating_.refused(after_, "its transform is not finite");
    const LocalTransform stored = stored_form(dimension, local_);
    if (index_ == 0 && stored != LocalTransform{})
      return updating_.refused(after_, "node 0 of a G4MF file is the root and cannot have a transform");
    put_numbers("position", old.translation, stored.translation);
    put_numbers("basis", old.basis, stored.basis);
    put_numbers("rotor", old.rotor, stored.rotor);
    put_numbers("scale", old.scale, stored.scale);
    return {};
  }

  template <class Numbers>
  void put_numbers(std::string_view key, const Numbers& before, const Numbers& after) {
    if (before == after) return;
    if (after.empty())
      item().erase(key);
    else
      item().set(key, list_of_numbers(after));
  }

  void put_bone() {
    const bool was = before_ != nullptr && before_->bone;
    if (!after_.bone) {
      if (was)
        for (const std::string_view key : {"bone", "boneLength"}) item().erase(key);
      return;
    }
    if (was && before_->bone->length == after_.bone->length && before_->bone->mass == after_.bone->mass) return;
    if (updating_.revision() == Revision::r2025_08) return put_old_bone();
    if (item().find("bone") == nullptr || !item().find("bone")->is(JsonKind::object)) item().set("bone", JsonEdit::object());
    JsonEdit& bone = *item().find("bone");
    put_number(bone, "length", after_.bone->length);
    put_number(bone, "mass", after_.bone->mass);
  }

  void put_old_bone() {
    if (after_.bone->mass) updating_.lost(after_, "revision 2025-08 cannot store the mass of a bone");
    item().set("boneLength", JsonEdit::number(after_.bone->length.value_or(0)));
  }

  static void put_number(JsonEdit& object, std::string_view key, const std::optional<double>& number) {
    if (number)
      object.set(key, JsonEdit::number(*number));
    else
      object.erase(key);
  }

  /// What a mesh gives its instances that say nothing.
  static bool equals_defaults(const std::vector<double>& amounts, const Mesh& mesh) {
    return std::ranges::equal(amounts, mesh.shapes, {}, {}, &BlendShape::amount);
  }

  [[nodiscard]] const std::vector<double>& amounts() const { return updating_.after().rest.amounts[index_]; }

  Result<> put_mesh() {
    const Model& before = updating_.before();
    const Model& after = updating_.after();
    if (after_.mesh == none) {
      if (before_ != nullptr && before_->mesh != none)
        for (const std::string_view key : {"meshInstance", "mesh"}) item().erase(key);
      return {};
    }
    const Mesh& mesh = after.meshes[after_.mesh];
    const bool same_mesh = before_ != nullptr && before_->mesh == after_.mesh;
    const bool same_amounts = same_mesh && before.rest.amounts[index_] == amounts();
    const bool same_defaults =
        same_mesh && std::ranges::equal(before.meshes[after_.mesh].shapes, mesh.shapes, {}, &BlendShape::amount, &BlendShape::amount);
    if (same_amounts && same_defaults && before_->materials == after_.materials) return {};
    if (updating_.revision() == Revision::r2025_08) return put_old_mesh(mesh, same_mesh);
    if (item().find("meshInstance") == nullptr || !item().find("meshInstance")->is(JsonKind::object))
      item().set("meshInstance", JsonEdit::object());
    JsonEdit& instance = *item().find("meshInstance");
    if (!same_mesh) instance.set("mesh", JsonEdit::integer(updating_.mesh_number(after_.mesh)));
    if (!(same_amounts && same_defaults)) {
      instance.erase("blendAmounts");
      if (!equals_defaults(amounts(), mesh)) instance.set("blendAmounts", list_of_numbers(amounts()));
    }
    if (before_ == nullptr || before_->materials != after_.materials) put_materials(instance);
    return {};
  }

  Result<> put_old_mesh(const Mesh& mesh, bool same_mesh) {
    if (!same_mesh) item().set("mesh", JsonEdit::integer(updating_.mesh_number(after_.mesh)));
    if (!equals_defaults(amounts(), mesh)) updating_.lost(after_, "revision 2025-08 cannot store blend amounts of an instance");
    if (!after_.materials.empty()) updating_.lost(after_, "revision 2025-08 cannot store materials of an instance");
    return {};
  }

  void put_materials(JsonEdit& instance) {
    instance.erase("materials");
    if (after_.materials.empty()) return;
    JsonEdit materials = JsonEdit::array();
    for (const Index material : after_.materials)
      materials.push_back(material == none ? JsonEdit::integer(-1) : JsonEdit::integer(material));
    instance.set("materials", std::move(materials));
  }

  Updating& updating_;
  std::size_t index_;
  const Node* before_;
  const Node& after_;
  const LocalTransform& local_;
};

}  // namespace

Result<> update_nodes(Updating& updating) {
  for (std::size_t i = 0; i < updating.after().nodes.size(); ++i)
    if (auto done = NodeUpdate(updating, i).run(); !done) return done;
  return {};
}

Result<> update_skeletons(Updating& updating) {
  const Model& before = updating.before();
  const Model& after = updating.after();
  for (std::size_t i = 0; i < after.skeletons.size(); ++i) {
    const Skeleton& skeleton = after.skeletons[i];
    const Skeleton* const old = find_at(before.skeletons, i);
    if (old != nullptr && old->node == skeleton.node && old->joints == skeleton.joints) continue;
    if (skeleton.node == none) return updating.refused(skeleton, "a skeleton of G4MF needs a node");
    if (old != nullptr && old->node != skeleton.node) updating.item(RootRow::nodes, old->node).erase("skeleton");
    JsonEdit& node = updating.item(RootRow::nodes, skeleton.node);
    if (node.find("skeleton") == nullptr || !node.find("skeleton")->is(JsonKind::object)) node.set("skeleton", JsonEdit::object());
    JsonEdit& object = *node.find("skeleton");
    object.erase("joints");
    if (skeleton.joints.empty()) continue;
    JsonEdit joints = JsonEdit::array();
    for (const Index joint : skeleton.joints) joints.push_back(joint == none ? JsonEdit::integer(-1) : JsonEdit::integer(joint));
    object.set("joints", std::move(joints));
  }
  return {};
}

}  // namespace sinew::g4mf
