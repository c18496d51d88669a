// SPDX-License-Identifier: MIT
#include "operations/merge/merge_groups.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/catalogue_edit.hpp"
#include "base/message.hpp"
#include "base/unique_names.hpp"
#include "model/place.hpp"

namespace sinew::operations {

namespace {

/// A mesh and a skeleton that moves it.
struct Use {
  Index mesh;
  Index skeleton;
};

std::vector<Use> uses_of(const Model& model) {
  std::map<Index, Index> skeleton_at;
  for (Index s = 0; s < model.skeletons.size(); ++s) skeleton_at.emplace(model.skeletons[s].node, s);
  std::vector<Use> uses;
  for (const Node& node : model.nodes)
    if (node.mesh != none && node.skin != none) uses.push_back({node.mesh, skeleton_at.at(model.skins[node.skin].frame)});
  return uses;
}

std::uint32_t groups_used(const Mesh& mesh) {
  std::uint32_t most = 0;
  for (const VertexBlock& block : mesh.blocks)
    for (const std::uint32_t group : block.influences.slots.read<std::uint32_t>()) most = std::max(most, group + 1);
  return most;
}

/// Returns whether joints ascend, as the specification requires since 2025-08-29; slots of −1 and repeated joints are ignored.
bool ascends(const std::vector<Index>& joints) {
  std::vector<Index> bones;
  std::ranges::copy_if(joints, std::back_inserter(bones), [](Index joint) { return joint != none; });
  return std::ranges::is_sorted(bones);
}

std::string bone_name(const Model& model, Index skeleton, std::size_t group) {
  const std::vector<Index>& joints = model.skeletons[skeleton].joints;
  return group < joints.size() && joints[group] != none ? model.nodes[joints[group]].name : std::string();
}

/// Returns whether the names of a mesh's groups differ from those of the bones.
bool has_own_names(const Model& model, const Use& use) {
  const std::vector<std::string>& names = model.meshes[use.mesh].group_names;
  for (std::size_t g = 0; g < names.size(); ++g)
    if (names[g] != bone_name(model, use.skeleton, g)) return true;
  return false;
}

class GroupPlanner {
 public:
  GroupPlanner(const Model& body, const Model& clothes, MergePlan& plan)
      : body_(body), clothes_(clothes), plan_(plan), old_(body.skeletons[plan.skeleton].joints) {}

  Result<> run() {
    extend();
    regroup_body();
    return regroup_clothes();
  }

 private:
  [[nodiscard]] Index meaning(Index joint) const { return joint == none ? none : plan_.nodes.meaning[joint]; }

  void extend() {
    std::set<Index> added;
    bool unbound = false;
    for (const Use& use : uses_of(clothes_))
      for (const Index joint : clothes_.skeletons[use.skeleton].joints) {
        const Index bone = meaning(joint);
        if (std::ranges::find(old_, bone) != old_.end()) continue;
        if (bone == none)
          unbound = true;
        else
          added.insert(bone);
      }
    if (ascends(old_)) {
      insert(added);
    } else {
      plan_.joints = old_;
      plan_.joints.insert(plan_.joints.end(), added.begin(), added.end());
      moved_.resize(old_.size());
      std::iota(moved_.begin(), moved_.end(), 0u);
    }
    if (unbound) plan_.joints.push_back(none);
  }

  /// Inserts joints. Ascending joints stay ascending: each new one is inserted before the first greater one; a slot of −1 stays behind its
  /// predecessor.
  void insert(const std::set<Index>& added) {
    auto next = added.begin();
    for (const Index joint : old_) {
      for (; next != added.end() && joint != none && *next < joint; ++next) plan_.joints.push_back(*next);
      moved_.push_back(static_cast<Index>(plan_.joints.size()));
      plan_.joints.push_back(joint);
    }
    plan_.joints.insert(plan_.joints.end(), next, added.end());
  }

  /// Returns the first slot of the bone.
  [[nodiscard]] Index position(Index bone) const {
    return static_cast<Index>(std::ranges::find(plan_.joints, bone) - plan_.joints.begin());
  }

  /// Finds the meshes and skeletons that are connected to the chosen skeleton by shared meshes.
  void find_bound(std::set<Index>& meshes, std::set<Index>& skeletons) const {
    const std::vector<Use> uses = uses_of(body_);
    skeletons.insert(plan_.skeleton);
    for (bool grew = true; grew;) {
      grew = false;
      for (const Use& use : uses) {
        if (skeletons.contains(use.skeleton)) grew |= meshes.insert(use.mesh).second;
        if (meshes.contains(use.mesh)) grew |= skeletons.insert(use.skeleton).second;
      }
    }
  }

  /// If bones are inserted between those of the body, the groups of the body get new numbers in all meshes and skeletons that share them.
  /// Groups beyond the joints move nothing and must not get a joint.
  void regroup_body() {
    std::set<Index> meshes, skeletons;
    find_bound(meshes, skeletons);
    bool moves = false;
    for (std::size_t g = 0; g < moved_.size(); ++g) moves |= moved_[g] != g;
    for (const Index mesh : meshes) moves |= plan_.joints.size() > old_.size() && groups_used(body_.meshes[mesh]) > old_.size();
    if (!moves) return;
    const auto beyond = static_cast<Index>(plan_.joints.size());
    for (const Index mesh : meshes) plan_.groups.push_back({mesh, moved_, beyond});
    for (const Index skeleton : skeletons) {
      if (skeleton == plan_.skeleton) continue;
      const std::vector<Index>& joints = body_.skeletons[skeleton].joints;
      std::vector<Index> fresh;
      for (std::size_t g = 0; g < joints.size(); ++g) {
        const std::size_t place = g < moved_.size() ? moved_[g] : beyond + g - moved_.size();
        if (fresh.size() <= place) fresh.resize(place + 1, none);
        fresh[place] = joints[g];
      }
      plan_.other_joints.emplace_back(skeleton, std::move(fresh));
    }
  }

  Result<> regroup_clothes() {
    std::map<Index, std::vector<Index>> maps;
    for (const Use& use : uses_of(clothes_)) {
      std::vector<Index> map;
      for (const Index joint : clothes_.skeletons[use.skeleton].joints) map.push_back(position(meaning(joint)));
      const auto [known, fresh] = maps.emplace(use.mesh, map);
      if (fresh || known->second == map) continue;
      const Mesh& mesh = clothes_.meshes[use.mesh];
      return Unexpected(error(
          "SINEW_EDIT_REFUSED"_code, Failure::unsupported, place_of(clothes_, mesh),
          format_text("two skeletons use the mesh \"{}\", and one group of it would become two different bones of the body", mesh.name)));
    }
    for (auto& [mesh, map] : maps) plan_.groups.push_back({static_cast<Index>(body_.meshes.size() + mesh), std::move(map), none});
    return {};
  }

  const Model& body_;
  const Model& clothes_;
  MergePlan& plan_;
  const std::vector<Index>& old_;
  std::vector<Index> moved_;  ///< by group of the body: its new number
};

Array with_type_of(const Array& old, const std::vector<std::uint32_t>& groups) {
  const std::uint32_t most = groups.empty() ? 0 : std::ranges::max(groups);
  if (old.type() == ComponentType::uint8 && most <= 0xFF) return Array::own(std::vector<std::uint8_t>(groups.begin(), groups.end()), 1);
  if (byte_size(old.type()) <= 2 && most <= 0xFFFF) return Array::own(std::vector<std::uint16_t>(groups.begin(), groups.end()), 1);
  return Array::own(std::vector<std::uint32_t>(groups), 1);
}

/// Returns the influences with new group numbers. Influences of removed groups are dropped; those of united groups are added.
Influences regrouped(const Influences& old, const GroupNumbers& how) {
  struct Entry {
    std::uint32_t group;
    double weight;
  };
  const std::vector<std::uint32_t> groups = old.slots.read<std::uint32_t>();
  const std::vector<double> weights = old.weights.read<double>();
  Influences fresh = old;
  fresh.first.assign(1, 0);
  std::vector<std::uint32_t> new_groups;
  std::vector<double> new_weights;
  std::vector<Entry> run;
  for (std::size_t vertex = 0; vertex + 1 < old.first.size(); ++vertex) {
    run.clear();
    bool united = false;
    for (std::size_t i = old.first[vertex]; i < old.first[vertex + 1]; ++i) {
      const bool inside = groups[i] < how.group.size();
      if (!inside && how.beyond == none) continue;
      const std::uint32_t group = inside ? how.group[groups[i]] : static_cast<std::uint32_t>(how.beyond + (groups[i] - how.group.size()));
      const auto same = std::ranges::find(run, group, &Entry::group);
      united |= same != run.end();
      if (same != run.end())
        same->weight += weights[i];
      else
        run.push_back({group, weights[i]});
    }
    if (united)  // the strongest first, as before
      std::ranges::sort(run, [](const Entry& a, const Entry& b) { return a.weight != b.weight ? a.weight > b.weight : a.group < b.group; });
    for (const Entry& entry : run) {
      new_groups.push_back(entry.group);
      new_weights.push_back(entry.weight);
    }
    fresh.first.push_back(static_cast<std::uint32_t>(new_groups.size()));
  }
  fresh.slots = with_type_of(old.slots, new_groups);
  if (new_weights == weights) return fresh;
  if (old.weights.type() == ComponentType::float32)
    fresh.weights = Array::own(std::vector<float>(new_weights.begin(), new_weights.end()), 1);
  else
    fresh.weights = Array::own(std::move(new_weights), 1);
  return fresh;
}

/// Computes the names of all groups of the meshes that share them: the meshes' own names if there are any, else those of the bones.
class MergedGroupNames {
 public:
  MergedGroupNames(const Model& body, const Model& clothes, const MergePlan& plan, const Model& merged)
      : plan_(plan), names_(plan.joints.size()) {
    for (const Use& use : uses_of(body)) add(body, use, use.mesh);
    for (const Use& use : uses_of(clothes)) add(clothes, use, static_cast<Index>(body.meshes.size() + use.mesh));
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i].empty() && i < plan.joints.size() && plan.joints[i] != none) names_[i] = merged.nodes[plan.joints[i]].name;
      names_[i] = taken_.take(names_[i].empty() ? "Group" : names_[i]);
    }
  }
  [[nodiscard]] bool own() const { return own_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  void add(const Model& model, const Use& use, Index mesh) {
    const auto how = std::ranges::find(plan_.groups, mesh, &GroupNumbers::mesh);
    if (how == plan_.groups.end() && use.skeleton != plan_.skeleton) return;  // of another skeleton, with its own groups
    own_ |= has_own_names(model, use);
    const std::vector<std::string>& names = model.meshes[use.mesh].group_names;
    for (std::size_t g = 0; g < names.size(); ++g) {
      const Index place = new_group(how, g);
      if (place == none) continue;
      if (names_.size() <= place) names_.resize(place + 1);
      if (names_[place].empty()) names_[place] = names[g];
    }
    if (names.empty()) return;
    for (std::size_t g = names.size(); g < groups_used(model.meshes[use.mesh]); ++g)
      if (const Index place = new_group(how, g); place != none && names_.size() <= place) names_.resize(place + 1);
  }

  [[nodiscard]] Index new_group(std::vector<GroupNumbers>::const_iterator how, std::size_t group) const {
    if (how == plan_.groups.end()) return static_cast<Index>(group);
    if (group < how->group.size()) return how->group[group];
    return how->beyond == none ? none : static_cast<Index>(how->beyond + (group - how->group.size()));
  }

  const MergePlan& plan_;
  std::vector<std::string> names_;
  UniqueNames taken_;
  bool own_ = false;
};

}  // namespace

Result<> plan_groups(const Model& body, const Model& clothes, MergePlan& plan) { return GroupPlanner(body, clothes, plan).run(); }

void apply_groups(const Model& body, const Model& clothes, const MergePlan& plan, Model& merged) {
  merged.skeletons[plan.skeleton].joints = plan.joints;
  for (const auto& [skeleton, joints] : plan.other_joints) merged.skeletons[skeleton].joints = joints;
  for (Skin& skin : merged.skins)
    for (const Skeleton& skeleton : merged.skeletons)
      if (skeleton.node == skin.frame) skin.slots = skeleton.joints;
  const MergedGroupNames names(body, clothes, plan, merged);
  for (const GroupNumbers& how : plan.groups)
    for (VertexBlock& block : merged.meshes[how.mesh].blocks) block.influences = regrouped(block.influences, how);
  std::set<Index> differ;  // meshes whose group names differ from the bones of some skeleton that moves them
  const std::vector<Use> uses = uses_of(merged);
  for (const Use& use : uses)
    for (std::size_t g = 0; names.own() && g < names.names().size(); ++g)
      if (names.names()[g] != bone_name(merged, use.skeleton, g)) differ.insert(use.mesh);
  const bool longer = plan.joints.size() > body.skeletons[plan.skeleton].joints.size();
  for (const Use& use : uses) {
    const bool moved = std::ranges::find(plan.groups, use.mesh, &GroupNumbers::mesh) != plan.groups.end();
    if (!moved && use.skeleton != plan.skeleton) continue;
    if (differ.contains(use.mesh))
      merged.meshes[use.mesh].group_names = names.names();
    else if (moved || longer || names.own())
      merged.meshes[use.mesh].group_names.clear();  // the names are those of the bones
  }
}

}  // namespace sinew::operations
