// SPDX-License-Identifier: MIT
#include "operations/convert/to_gltf.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/work.hpp"
#include "deform/bind.hpp"
#include "model/edit_reporter.hpp"
#include "model/mesh_numbers.hpp"
#include "model/place.hpp"
#include "model/relative.hpp"
#include "operations/convert/to_gltf_steps.hpp"
#include "operations/files/check_deformable.hpp"
#include "operations/files/most_work.hpp"

namespace sinew::operations {

namespace {

/// State of one conversion.
class Converter {
 public:
  Converter(const Model& from, const GltfRig& rig, FindingSink& sink)
      : from_(from), rig_(rig), reporter_(from, sink), work_(meter_of(from)), rest_world_(need(world_transforms(from, from.rest_pose))) {}

  Result<ToGltf> run() {
    start();
    meshes_.resize(from_.meshes.size(), none);
    for (Index node = 0; node < from_.nodes.size(); ++node) convert_instance(node);
    for (Index mesh = 0; mesh < from_.meshes.size(); ++mesh)  // also the unused ones
      if (meshes_[mesh] == none && from_.meshes[mesh].defect == none) add_mesh({mesh, false, {}, {}});
    add_unused_skins();
    convert_clips();
    root_skinned_meshes();
    unshear(to_, from_, reporter_);
    if (auto done = check_storable(to_, from_); !done) return Unexpected(std::move(done.error()));
    forget_sources();
    std::vector<Index> node_of = remove_added();
    join_roots();
    return ToGltf{std::move(to_), std::move(node_of)};
  }

 private:
  void start() {
    to_ = from_;
    to_.format = "glTF";
    to_.revision = "2.0";
    to_.meshes.clear();
    to_.skins.clear();
    to_.skeletons.clear();
    to_.defects.clear();
    to_.extensions_used.clear();
    to_.extensions_required.clear();
    for (Node& node : to_.nodes) {
      node.mesh = node.skin = none;
      node.materials.clear();
      node.defect = none;
    }
    for (Index node = 0; node < from_.nodes.size(); ++node) {
      if (!from_.nodes[node].bone || !from_.nodes[node].bone->mass) continue;
      reporter_.lost(from_.nodes[node].source, "the mass of the bone is lost: glTF cannot store it");
      to_.nodes[node].bone->mass.reset();
    }
  }

  // Reports unusable meshes; drawn ones were checked before.
  void convert_instance(Index index) {
    const Node& node = from_.nodes[index];
    if (node.mesh == none) return;
    if (node.defect != none || from_.meshes[node.mesh].defect != none || (node.skin != none && from_.skins[node.skin].defect != none))
      return reporter_.lost(node.source, "its mesh is lost: the mesh is unusable");
    const Mesh& mesh = from_.meshes[node.mesh];
    MeshUse use{node.mesh, node.skin != none, {}, {}};
    if (!node.materials.empty()) {
      use.materials = node.materials;
      if (node.materials.size() == 1) use.materials.assign(mesh.surfaces.size(), node.materials.front());
      reporter_.changed(node.source, "it overrides the materials of its mesh; it gets a copy of the mesh with these materials");
    }
    if (use.skinned) {
      const Skin& skin = from_.skins[node.skin];
      const GltfRig::Skin* const as_was = skin_in_rig(index);
      use.joints = joint_map(
          mesh, skin, [&](std::size_t slot) { return skin.slots[slot] != none && bind_matrix(skin, slot, index); },
          as_was == nullptr ? std::span<const Index>() : as_was->joints);
      use.skinned = !use.joints.nodes.empty();
    }
    to_.nodes[index].mesh = add_mesh(use);
    if (use.skinned) to_.nodes[index].skin = add_skin(index, use.joints);
  }

  [[nodiscard]] std::optional<Affine> bind_matrix(const Skin& skin, std::size_t slot, Index node) const {
    return deform::joint_from_mesh(from_, skin, slot, node, rest_world_);
  }

  Index add_mesh(const MeshUse& use) {
    const auto known = uses_.find(use);
    if (known != uses_.end()) return known->second;
    const EditReporter* const losses = meshes_[use.mesh] == none ? &reporter_ : nullptr;
    const auto index = static_cast<Index>(to_.meshes.size());
    constexpr std::uint64_t steps_per_number = 8;
    work_.add(steps_per_number * numbers_of(from_.meshes[use.mesh]), "the numbers of all meshes, which may share arrays,");
    to_.meshes.push_back(gltf_mesh(from_, use, losses));
    if (losses != nullptr) meshes_[use.mesh] = index;
    uses_.emplace(use, index);
    return index;
  }

  /// Returns the rig's skin for a mesh's node, or nullptr.
  [[nodiscard]] const GltfRig::Skin* skin_in_rig(Index node) const {
    const auto skins = rig_.skins.find(from_.skins[from_.nodes[node].skin].frame);
    if (skins == rig_.skins.end()) return nullptr;
    const Index place = skins->second.size() == 1 ? 0 : rig_.skin[node];
    return place < skins->second.size() ? &skins->second[place] : nullptr;
  }

  /// Returns the skin for a mesh's node; reuses an equal one.
  Index add_skin(Index node, const JointMap& joints) {
    const Skin& from = from_.skins[from_.nodes[node].skin];
    const GltfRig::Skin* const as_was = skin_in_rig(node);
    Skin skin;
    skin.name = as_was == nullptr ? from.name : as_was->name;
    skin.bind = Skin::Bind::matrices;
    skin.root_hint = from.frame;
    for (Index joint = 0; joint < joints.nodes.size(); ++joint) {
      if (joint == joints.still) {
        skin.slots.push_back(add_still_joint(node));
        skin.joint_from_mesh.emplace_back(from_.dimension);
        continue;
      }
      const auto slot = static_cast<std::size_t>(std::ranges::find(joints.of_slot, joint) - joints.of_slot.begin());
      skin.slots.push_back(joints.nodes[joint]);
      const bool bound = slot < joints.of_slot.size();  // false: no vertex follows the joint
      skin.joint_from_mesh.push_back(bound ? *bind_matrix(from, slot, node) : Affine(from_.dimension));
    }
    for (Index made = 0; made < to_.skins.size(); ++made)
      if (skin_origins_[made] == as_was && to_.skins[made].root_hint == skin.root_hint && to_.skins[made].slots == skin.slots &&
          to_.skins[made].joint_from_mesh == skin.joint_from_mesh)
        return made;
    to_.skins.push_back(std::move(skin));
    skin_origins_.push_back(as_was);
    return static_cast<Index>(to_.skins.size() - 1);
  }

  /// Adds skins without a mesh: those of the rig, otherwise one for each skeleton without meshes.
  void add_unused_skins() {
    for (const Skeleton& skeleton : from_.skeletons) {
      if (skeleton.defect != none) continue;
      const auto in_rig = rig_.skins.find(skeleton.node);
      const bool has_mesh = std::ranges::any_of(to_.skins, [&](const Skin& skin) { return skin.root_hint == skeleton.node; });
      if (in_rig == rig_.skins.end()) {
        if (!has_mesh) add_unused_skin(skeleton, skeleton.joints, nullptr);
        continue;
      }
      for (const GltfRig::Skin& as_was : in_rig->second)
        if (std::ranges::find(skin_origins_, &as_was) == skin_origins_.end()) add_unused_skin(skeleton, as_was.joints, &as_was);
    }
  }

  void add_unused_skin(const Skeleton& skeleton, const std::vector<Index>& joints, const GltfRig::Skin* as_was) {
    Skin skin;
    skin.name = as_was == nullptr ? skeleton.name : as_was->name;
    skin.bind = Skin::Bind::matrices;
    skin.root_hint = skeleton.node;
    for (const Index joint : joints) {
      if (joint == none || from_.nodes[joint].defect != none || std::ranges::find(skin.slots, joint) != skin.slots.end()) continue;
      skin.slots.push_back(joint);
      skin.joint_from_mesh.push_back(
          relative_transform(from_, from_.rest_pose, rest_world_, joint, skeleton.node).value_or(Affine(from_.dimension)));
    }
    if (skin.slots.empty()) return;
    to_.skins.push_back(std::move(skin));
    skin_origins_.push_back(as_was);
  }

  // Adds a node at the place of the mesh's node. glTF ignores the mesh's own node, so vertices cannot follow that.
  Index add_still_joint(Index mesh_node) {
    const auto index = static_cast<Index>(to_.nodes.size());
    Node& node = to_.nodes.emplace_back();
    const Node& beside = to_.nodes[mesh_node];
    node.name = beside.name.empty() ? std::string() : beside.name + " still";
    node.parent = beside.parent;
    const LocalTransform local = to_.rest_pose.locals[mesh_node];
    to_.rest_pose.locals.push_back(local);
    to_.rest_pose.amounts.emplace_back();
    if (node.parent != none) to_.nodes[node.parent].children.push_back(index);
    for (Scene& scene : to_.scenes)
      if (std::ranges::find(scene.roots, mesh_node) != scene.roots.end()) scene.roots.push_back(index);
    still_.emplace_back(from_.nodes[mesh_node].source, index);
    return index;
  }

  void convert_clips() {
    to_.clips.clear();
    for (const Clip& clip : from_.clips) {
      if (clip.defect != none) {
        reporter_.lost(clip.source, format_text("the animation is lost: {}", from_.defects[clip.defect].message));
        continue;
      }
      to_.clips.push_back(clip);
      for (const Track& track : clip.tracks)
        if (track.path != TrackPath::amounts && from_.nodes[track.node].skin != none)
          reporter_.lost(
              track.source,
              format_text("its effect on node {} is lost: in glTF the node of a skinned mesh does not move the mesh", track.node));
    }
  }

  void forget_sources() {
    const auto forget = [](auto& things) {
      for (Entity& thing : things) thing.source = SourceId::nowhere;
    };
    forget(to_.nodes);
    forget(to_.clips);
    forget(to_.materials);
    forget(to_.scenes);
    for (Mesh& mesh : to_.meshes) {
      mesh.source = SourceId::nowhere;
      forget(mesh.surfaces);
      forget(mesh.shapes);
    }
    for (Clip& clip : to_.clips)
      for (Track& track : clip.tracks) track.source = SourceId::nowhere;
    to_.source.reset();
  }

  [[nodiscard]] bool is_hidden(Index node) const {
    for (; node != none; node = to_.nodes[node].parent)
      if (!to_.nodes[node].visible) return true;
    return false;
  }

  // Makes skinned meshes roots: glTF ignores their place, and validators warn about it.
  void root_skinned_meshes() {
    for (Index index = 0; index < from_.nodes.size(); ++index) {
      Node& node = to_.nodes[index];
      if (node.skin == none || !node.children.empty() || is_animated(to_, index) || is_hidden(node.parent)) continue;
      to_.rest_pose.locals[index] = {};
      if (node.parent == none) continue;
      Index top = node.parent;
      while (to_.nodes[top].parent != none) top = to_.nodes[top].parent;
      for (Scene& scene : to_.scenes)
        if (std::ranges::find(scene.roots, top) != scene.roots.end()) scene.roots.push_back(index);
      std::erase(to_.nodes[node.parent].children, index);
      node.parent = none;
    }
  }

  /// Returns whether a node that conversion to G4MF added has no purpose.
  [[nodiscard]] bool is_idle(Index index) const {
    const Node& node = to_.nodes[index];
    const bool root = index == 0;  // a user may have named it or added a scene
    return node.mesh == none && !node.bone && affine_of(3, to_.rest_pose.locals[index]) == Affine(3) && !is_animated(to_, index) &&
           (!root || (node.name.empty() && to_.scenes.size() == 1)) &&
           std::ranges::none_of(to_.skins, [&](const Skin& skin) { return std::ranges::find(skin.slots, index) != skin.slots.end(); });
  }

  /// Removes added nodes; their children move up. Returns the new index of each node.
  std::vector<Index> remove_added() {
    std::vector<bool> gone(to_.nodes.size());
    for (Index index = 0; index < rig_.added.size(); ++index) gone[index] = rig_.added[index] && is_idle(index);
    std::vector<Index> number(to_.nodes.size(), none);
    Index next = 0;
    for (Index index = 0; index < number.size(); ++index)
      if (!gone[index]) number[index] = next++;
    for (const auto& [source, index] : still_)
      reporter_.changed(source, format_text("vertices without a bone follow a new joint that does not move, node {}", number[index]));
    const std::vector<Node> before = to_.nodes;
    const auto above = [&](Index index) {
      while (index != none && gone[index]) index = before[index].parent;
      return index == none ? none : number[index];
    };
    const auto renumber = [&](std::vector<Index>& list) {
      std::vector<Index> open(list.rbegin(), list.rend());
      list.clear();
      while (!open.empty()) {
        const Index index = open.back();
        open.pop_back();
        if (gone[index])
          open.insert(open.end(), before[index].children.rbegin(), before[index].children.rend());
        else
          list.push_back(number[index]);
      }
    };
    for (Scene& scene : to_.scenes) renumber(scene.roots);
    for (Index index = 0; index < before.size(); ++index) {
      if (gone[index]) continue;
      Node& node = to_.nodes[number[index]] = before[index];
      node.parent = above(node.parent);
      renumber(node.children);
      to_.rest_pose.locals[number[index]] = to_.rest_pose.locals[index];
      to_.rest_pose.amounts[number[index]] = to_.rest_pose.amounts[index];
    }
    to_.nodes.resize(next);
    to_.rest_pose.locals.resize(next);
    to_.rest_pose.amounts.resize(next);
    for (Skin& skin : to_.skins) {
      if (skin.root_hint != none) skin.root_hint = number[skin.root_hint];
      for (Index& slot : skin.slots) slot = number[slot];
    }
    for (Clip& clip : to_.clips)
      for (Track& track : clip.tracks) track.node = number[track.node];
    std::vector<Index> became(from_.nodes.size());
    for (Index index = 0; index < became.size(); ++index) became[index] = above(index);
    return became;
  }

  /// Gives the joints of every skin a common root, as glTF demands: joints of G4MF, and those made for vertices without a bone, may have
  /// none.
  void join_roots() {
    Index made = none;
    for (Skin& skin : to_.skins) {
      std::set<Index> tops;
      for (const Index slot : skin.slots) tops.insert(top_of(slot));
      if (tops.size() < 2) continue;
      if (made == none) {
        made = static_cast<Index>(to_.nodes.size());
        to_.nodes.emplace_back();
        to_.rest_pose.locals.emplace_back();
        to_.rest_pose.amounts.emplace_back();
        reporter_.changed(std::string(), format_text("joints without a common root get one, node {}", made));
      }
      for (const Index top : tops)
        if (top != made) put_below(top, made);
      skin.root_hint = none;
    }
  }

  [[nodiscard]] Index top_of(Index node) const {
    while (to_.nodes[node].parent != none) node = to_.nodes[node].parent;
    return node;
  }

  void put_below(Index top, Index root) {
    to_.nodes[top].parent = root;
    to_.nodes[root].children.push_back(top);
    for (Scene& scene : to_.scenes)
      if (std::erase(scene.roots, top) != 0 && std::ranges::find(scene.roots, root) == scene.roots.end()) scene.roots.push_back(root);
  }

  const Model& from_;
  const GltfRig& rig_;
  EditReporter reporter_;
  WorkMeter work_;
  std::vector<Affine> rest_world_;
  Model to_;
  std::map<MeshUse, Index> uses_;
  std::vector<std::pair<SourceId, Index>> still_;   ///< the mesh's node, and the joint made for its vertices without a bone
  std::vector<Index> meshes_;                       ///< by old mesh: the first new one
  std::vector<const GltfRig::Skin*> skin_origins_;  ///< by new skin: its skin in the rig
};

}  // namespace

Result<ToGltf> to_gltf(const Model& model, const GltfRig& rig, FindingSink& losses) SINEW_TRY {
  const Place place = place_of(model);
  if (model.dimension != 3)
    return Unexpected(error(
        "SINEW_EDIT_REFUSED"_code, Failure::unsupported, place,
        format_text("found a model of {} dimensions; glTF has only three dimensions: convert with --project, or with --slice AXIS=OFFSET",
                    model.dimension)));
  if (auto defect = closure_defect(model)) return Unexpected(std::move(*defect));
  return Converter(model, rig, losses).run();
}
SINEW_CATCH()

}  // namespace sinew::operations
