// SPDX-License-Identifier: MIT
#include "operations/convert/g4mf_skeletons.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "deform/bind.hpp"
#include "model/influences.hpp"
#include "model/place.hpp"
#include "operations/skeletons/hierarchy.hpp"

namespace sinew::operations {

namespace {

constexpr double same_matrix = 2e-6;  // tolerance for products of float32 matrices

double size_of(const Affine& map, std::size_t first, std::size_t last) {
  double size = 0;
  for (std::size_t i = first; i < last; ++i) size = std::max(size, std::abs(map.values()[i]));
  return size;
}

/// Returns whether two maps are equal up to rounding. `extent`: the size of the translations from which they were computed.
bool near(const Affine& a, const Affine& b, double extent) {
  const std::size_t n = a.dimension(), linear = n * n, all = linear + n;
  const double scale = std::max(size_of(a, 0, linear), size_of(b, 0, linear));
  extent = std::max({extent, size_of(a, linear, all), size_of(b, linear, all)});
  for (std::size_t i = 0; i < all; ++i)
    if (!(std::abs(a.values()[i] - b.values()[i]) <= same_matrix * (i < linear ? scale : extent))) return false;
  return true;
}

/// A skin with its bind matrices.
struct Bound {
  Index skin = none;
  std::vector<std::optional<Affine>> joint_from_mesh;  ///< by slot; empty for a singular matrix that no vertex needs
  std::optional<Affine> world_from_mesh;               ///< the same for all slots if the nodes are in the bind pose
  double extent = 0;
};

class Planner {
 public:
  Planner(const Model& model, std::span<const Instance> instances, std::span<const Affine> rest)
      : model_(model),
        instances_(instances),
        rest_(rest),
        depth_(depths(model)),
        used_(model.skins.size()),
        has_mesh_(model.skins.size()),
        owner_(model.nodes.size(), none) {}

  Result<std::vector<SkeletonPlan>> run() {
    find_used_slots();
    for (Index skin = 0; skin < model_.skins.size(); ++skin) {
      if (!has_mesh_[skin] && !is_whole(model_.skins[skin])) continue;
      SkeletonPlan& plan = plans_.emplace_back();
      plan.skins = {skin};
      add_members(plan, model_.skins[skin]);
    }
    while (merge_some()) {
    }
    return bind_all();
  }

 private:
  // Finds the slots with a weight, in skins of instances.
  void find_used_slots() {
    for (Index skin = 0; skin < model_.skins.size(); ++skin) used_[skin].resize(model_.skins[skin].slots.size());
    for (const Instance& instance : instances_) {
      if (instance.skin == none) continue;
      const Mesh& mesh = model_.meshes[instance.mesh];
      if (std::ranges::all_of(mesh.blocks, [](const VertexBlock& block) { return block.influences.empty(); })) continue;
      has_mesh_[instance.skin] = true;
      mark_weighted(mesh, used_[instance.skin]);
    }
  }

  // Checks skins without a mesh for defects; other skins were checked before.
  [[nodiscard]] bool is_whole(const Skin& skin) const {
    return skin.defect == none && std::ranges::any_of(skin.slots, [](Index joint) { return joint != none; }) &&
           std::ranges::all_of(skin.slots, [&](Index joint) {
             return std::ranges::all_of(way_up(joint), [&](Index node) { return model_.nodes[node].defect == none; });
           });
  }

  // All joints of a strict skeleton belong to the plan, even if the skin does not list them.
  void add_members(SkeletonPlan& plan, const Skin& skin) {
    for (const Index joint : skin.slots)
      if (joint != none) plan.joints.insert(joint);
    plan.bones = plan.joints;
    for (const Skeleton& skeleton : model_.skeletons)
      if (std::ranges::any_of(skeleton.joints, [&](Index joint) { return plan.joints.contains(joint); }))
        plan.bones.insert(skeleton.joints.begin(), skeleton.joints.end());
  }

  std::vector<Index> way_up(Index node) const {
    std::vector<Index> way;
    for (; node != none; node = model_.nodes[node].parent) way.push_back(node);
    return way;
  }

  // Finds the lowest common ancestor that is no bone. Nodes between become bones.
  void close(SkeletonPlan& plan) const {
    std::vector<Index> common = way_up(*plan.bones.begin());  // of all bones, the lowest first
    std::unordered_map<Index, std::size_t> met;               // how many bones are at or below a node
    std::vector<Index> nodes;                                 // with those
    for (const Index bone : plan.bones)
      for (Index node = bone; node != none && met.try_emplace(node, 0).second; node = model_.nodes[node].parent) nodes.push_back(node);
    for (const Index bone : plan.bones) ++met[bone];
    std::ranges::sort(nodes, std::greater(), [&](Index node) { return depth_[node]; });
    for (const Index node : nodes)  // the lowest first
      if (const Index parent = model_.nodes[node].parent; parent != none) met[parent] += met[node];
    std::erase_if(common, [&](Index node) { return met[node] != plan.bones.size(); });
    std::erase_if(common, [&](Index node) { return plan.bones.contains(node); });
    plan.parent = common.empty() ? none : common.front();
    const std::set<Index> members = plan.bones;
    for (const Index member : members)
      for (Index node = member; node != plan.parent; node = model_.nodes[node].parent)
        if (!plan.bones.insert(node).second && node != member) break;  // the nodes above are bones, too
  }

  // Merges skeletons with a common bone. Returns false if there are none.
  bool merge_some() {
    std::ranges::fill(owner_, none);
    for (Index i = 0; i < plans_.size(); ++i) {
      SkeletonPlan& plan = plans_[i];
      close(plan);
      const auto known = std::ranges::find_if(plan.bones, [&](Index bone) { return owner_[bone] != none; });
      const Index owner = known == plan.bones.end() ? i : owner_[*known];
      for (const Index bone : plan.bones)
        if (owner_[bone] == none) owner_[bone] = owner;
      if (owner == i) continue;
      SkeletonPlan& first = plans_[owner];
      first.skins.insert(first.skins.end(), plan.skins.begin(), plan.skins.end());
      first.joints.merge(plan.joints);
      first.bones.merge(plan.bones);
      plan.skins.clear();
    }
    return std::erase_if(plans_, [](const SkeletonPlan& plan) { return plan.skins.empty(); }) != 0;
  }

  /// Returns whether the rest pose hides what follows a joint. It cannot be a bind pose: all maps to a point are the same.
  bool is_flat(const Affine& world) const {
    constexpr double next_to_nothing = 1e-4;
    return size_of(world, 0, model_.dimension * model_.dimension) < next_to_nothing || !inverse(world);
  }

  Result<Bound> bound(Index skin_index) const {
    const Skin& skin = model_.skins[skin_index];
    Bound result{skin_index, {}, {}, 0};
    bool in_pose = true;
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      auto& map = result.joint_from_mesh.emplace_back();
      if (skin.slots[slot] == none) continue;
      map = deform::joint_from_mesh(model_, skin, slot, none, rest_);
      if (map && !inverse(*map)) map.reset();
      if (!map && !used_[skin_index][slot]) continue;
      if (!map) return refuse(skin, format_text("the bind matrix of joint {} (slot {}) has no inverse", skin.slots[slot], slot));
      const Affine& world = rest_[skin.slots[slot]];
      const Affine together = world * *map;
      const std::size_t n = model_.dimension;
      result.extent = std::max(result.extent, size_of(world, n * n, n * n + n));
      if (!result.world_from_mesh) result.world_from_mesh = together;
      in_pose = in_pose && near(*result.world_from_mesh, together, result.extent) && !is_flat(world);
    }
    if (!in_pose) result.world_from_mesh.reset();
    return result;
  }

  Result<std::vector<SkeletonPlan>> bind_all() {
    std::vector<SkeletonPlan> done;
    for (SkeletonPlan& plan : plans_) {
      std::vector<Bound> skins;
      for (const Index skin : plan.skins) {
        auto map = bound(skin);
        if (!map) return Unexpected(map.error());
        skins.push_back(std::move(*map));
      }
      bool copied = false;
      while (!skins.empty()) {
        SkeletonPlan bound_plan = plan;
        bound_plan.copied = copied;
        bind(bound_plan, skins);
        done.push_back(std::move(bound_plan));
        copied = true;
      }
    }
    return done;
  }

  // Moves skins from `skins` to the plan if one bind pose works for them; at least the first one.
  void bind(SkeletonPlan& plan, std::vector<Bound>& skins) const {
    const Affine world = plan.parent == none ? Affine(model_.dimension) : rest_[plan.parent];
    const auto skeleton_from_world = inverse(world);
    plan.skins.clear();
    const bool meshes = std::ranges::any_of(skins, [&](const Bound& skin) { return has_mesh_[skin.skin]; });
    const bool in_pose = skeleton_from_world && std::ranges::all_of(skins, [&](const Bound& skin) {
                           return skin.world_from_mesh.has_value() || (meshes && !has_mesh_[skin.skin]);
                         });
    std::vector<Bound> left;
    for (Bound& skin : skins) {
      if (in_pose && skin.world_from_mesh)
        plan.place.emplace(skin.skin, *skeleton_from_world * *skin.world_from_mesh);
      else if (in_pose || !bind_one(plan, skin)) {
        if (meshes && !has_mesh_[skin.skin])
          plan.lost.push_back(skin.skin);
        else
          left.push_back(std::move(skin));
        continue;
      }
      plan.skins.push_back(skin.skin);
    }
    skins = std::move(left);
    plan.joints.clear();
    for (const Index skin : plan.skins)
      for (const Index joint : model_.skins[skin].slots)
        if (joint != none) plan.joints.insert(joint);
    if (!in_pose) std::erase_if(plan.joints, [&](Index joint) { return !plan.joint_from_skeleton.contains(joint); });
  }

  // The mesh is at the skeleton, unless joints that are already bound give another place. Always succeeds for the first skin of a plan:
  // nothing is bound yet, and its maps have inverses.
  bool bind_one(SkeletonPlan& plan, const Bound& bound) const {
    const Skin& skin = model_.skins[bound.skin];
    std::optional<Affine> place;
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      const auto& map = bound.joint_from_mesh[slot];
      const auto known = map ? plan.joint_from_skeleton.find(skin.slots[slot]) : plan.joint_from_skeleton.end();
      if (known == plan.joint_from_skeleton.end()) continue;
      const Affine here = *inverse(known->second) * *map;
      if (place && !near(*place, here, bound.extent)) return false;
      if (!place) place = here;
    }
    if (!place) place = Affine(model_.dimension);
    const auto mesh_from_skeleton = inverse(*place);
    if (!mesh_from_skeleton) return false;
    std::map<Index, Affine> added;
    for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
      if (!bound.joint_from_mesh[slot]) continue;
      const Affine map = *bound.joint_from_mesh[slot] * *mesh_from_skeleton;
      if (!inverse(map)) return false;  // numbers of too different sizes
      added.emplace(skin.slots[slot], map);
    }
    plan.joint_from_skeleton.merge(added);
    plan.place.emplace(bound.skin, *place);
    return true;
  }

  Unexpected refuse(const Entity& entity, const std::string& why) const {
    return Unexpected(error("SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(model_, entity), why));
  }

  const Model& model_;
  std::span<const Instance> instances_;
  std::span<const Affine> rest_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::vector<bool>> used_;  ///< slots by skin
  std::vector<bool> has_mesh_;           ///< by skin: an instance with influences uses it
  std::vector<Index> owner_;             ///< by node: the plan of a bone
  std::vector<SkeletonPlan> plans_;
};

}  // namespace

Result<std::vector<SkeletonPlan>> plan_skeletons(const Model& model, std::span<const Instance> instances, std::span<const Affine> rest) {
  return Planner(model, instances, rest).run();
}

}  // namespace sinew::operations
