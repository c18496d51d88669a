// SPDX-License-Identifier: MIT
#include <algorithm>

#include "g4mf/write/stored_pose.hpp"
#include "g4mf/write/updater.hpp"

namespace sinew::g4mf {

namespace {

class NodeUpdate {
 public:
  NodeUpdate(Updater& updater, std::size_t index)
      : updater_(updater),
        index_(index),
        before_(at_or_empty(updater.before().nodes, index)),
        after_(updater.after().nodes[index]),
        local_(updater.stored(index)) {
    if (is_new()) static_cast<void>(item());  // appends the object, in order
  }

  Result<> run() {
    if (before_.name != after_.name) updater_.put_name(item(), &before_, after_);
    if (before_.children != after_.children) set_indices(item(), "children", after_.children);
    if (before_.visible && !after_.visible) item().set("visible", JsonEdit::boolean(false));
    if (!before_.visible && after_.visible) item().erase("visible");
    if (auto done = put_transform(); !done) return done;
    put_bone();
    put_mesh();
    return {};
  }

 private:
  [[nodiscard]] bool is_new() const { return index_ >= updater_.before().nodes.size(); }
  [[nodiscard]] JsonEdit& item() { return updater_.item("nodes", index_); }

  Result<> put_transform() {
    const LocalTransform old = is_new() ? LocalTransform{} : updater_.was_stored(index_);
    if (old == local_) return {};
    const std::size_t dimension = updater_.after().dimension;
    if (!is_finite(affine_of(dimension, local_))) return updater_.refused(after_, "its transform is not finite");
    const LocalTransform stored = stored_form(dimension, local_);
    if (index_ == 0 && stored != LocalTransform{})
      return updater_.refused(after_, "node 0 of a G4MF file is the root and cannot have a transform");
    put_numbers("position", old.translation, stored.translation);
    put_numbers("basis", old.basis, stored.basis);
    put_numbers("rotor", old.rotor, stored.rotor);
    put_numbers("scale", old.scale, stored.scale);
    return {};
  }

  template <class Numbers>
  void put_numbers(std::string_view key, const Numbers& before, const Numbers& after) {
    if (before != after) set_numbers(item(), key, after);
  }

  void put_bone() {
    if (!after_.bone) {
      if (before_.bone)
        for (const std::string_view key : {"bone", "boneLength"}) item().erase(key);
      return;
    }
    if (before_.bone && before_.bone->length == after_.bone->length && before_.bone->mass == after_.bone->mass) return;
    if (updater_.revision() == Revision::r2025_08) {
      if (after_.bone->mass) updater_.reporter().lost(after_, "revision 2025-08 cannot store the mass of a bone");
      item().set("boneLength", JsonEdit::number(after_.bone->length.value_or(0)));
      return;
    }
    JsonEdit& bone = object_in(item(), "bone");
    put_number(bone, "length", after_.bone->length);
    put_number(bone, "mass", after_.bone->mass);
  }

  static void put_number(JsonEdit& object, std::string_view key, const std::optional<double>& number) {
    if (number)
      object.set(key, JsonEdit::number(*number));
    else
      object.erase(key);
  }

  /// Compares amounts with the defaults of the mesh.
  static bool equals_defaults(const std::vector<double>& amounts, const Mesh& mesh) {
    return std::ranges::equal(amounts, mesh.shapes, {}, {}, &BlendShape::amount);
  }

  void put_mesh() {
    const Model& before = updater_.before();
    const Model& after = updater_.after();
    if (after_.mesh == none) {
      if (before_.mesh != none)
        for (const std::string_view key : {"meshInstance", "mesh"}) item().erase(key);
      return;
    }
    const Mesh& mesh = after.meshes[after_.mesh];
    const std::vector<double>& amounts = after.rest_pose.amounts[index_];
    const bool same_mesh = before_.mesh == after_.mesh;
    const bool same_amounts =
        same_mesh && before.rest_pose.amounts[index_] == amounts &&
        std::ranges::equal(before.meshes[after_.mesh].shapes, mesh.shapes, {}, &BlendShape::amount, &BlendShape::amount);
    if (same_amounts && before_.materials == after_.materials) return;
    const JsonEdit number = JsonEdit::integer(updater_.mesh_number(after_.mesh));
    if (updater_.revision() == Revision::r2025_08) {
      if (!same_mesh) item().set("mesh", number);
      if (!equals_defaults(amounts, mesh)) updater_.reporter().lost(after_, "revision 2025-08 cannot store blend amounts of an instance");
      if (!after_.materials.empty()) updater_.reporter().lost(after_, "revision 2025-08 cannot store materials of an instance");
      return;
    }
    JsonEdit& instance = object_in(item(), "meshInstance");
    if (!same_mesh) instance.set("mesh", number);
    if (!same_amounts) {
      instance.erase("blendAmounts");
      if (!equals_defaults(amounts, mesh)) instance.set("blendAmounts", numbers(amounts));
    }
    if (before_.materials != after_.materials) set_slots(instance, "materials", after_.materials);
  }

  Updater& updater_;
  std::size_t index_;
  const Node& before_;
  const Node& after_;
  const LocalTransform& local_;
};

}  // namespace

Result<> update_nodes(Updater& updater) {
  for (std::size_t i = 0; i < updater.after().nodes.size(); ++i)
    if (auto done = NodeUpdate(updater, i).run(); !done) return done;
  return {};
}

Result<> update_skeletons(Updater& updater) {
  const Model& before = updater.before();
  const Model& after = updater.after();
  for (std::size_t i = 0; i < after.skeletons.size(); ++i) {
    const Skeleton& skeleton = after.skeletons[i];
    const Skeleton* const old = find_at(before.skeletons, i);
    if (old != nullptr && old->node == skeleton.node && old->joints == skeleton.joints) continue;
    if (skeleton.node == none) return updater.refused(skeleton, "a skeleton of G4MF needs a node");
    if (old != nullptr && old->node != skeleton.node) updater.item("nodes", old->node).erase("skeleton");
    set_slots(object_in(updater.item("nodes", skeleton.node), "skeleton"), "joints", skeleton.joints);
  }
  return {};
}

}  // namespace sinew::g4mf
