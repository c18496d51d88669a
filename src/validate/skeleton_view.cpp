// SPDX-License-Identifier: MIT
#include "validate/skeleton_view.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "validate/model_rules.hpp"

namespace sinew::validate {

namespace {

// Sets of nodes that are joined if they belong together.
class NodeSets {
 public:
  explicit NodeSets(std::size_t nodes) : parent_(nodes) { std::iota(parent_.begin(), parent_.end(), Index{0}); }
  Index find(Index node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  void join(Index a, Index b) { parent_[find(a)] = find(b); }
  // Joins all entries that are nodes.
  void join(std::span<const Index> nodes) {
    Index first = none;
    for (const Index node : nodes) {
      if (node == none) continue;
      if (first == none) first = node;
      join(first, node);
    }
  }

 private:
  std::vector<Index> parent_;
};

Index first_joint(const Skin& skin) {
  const auto joint = std::ranges::find_if(skin.slots, [](Index node) { return node != none; });
  return joint == skin.slots.end() ? none : *joint;
}

NodeSets group_bones(const Model& model, const std::vector<bool>& bones) {
  NodeSets sets(model.nodes.size());
  std::vector<bool> listed(model.nodes.size());
  const auto list = [&](std::span<const Index> joints) {
    sets.join(joints);
    for (const Index joint : joints)
      if (joint != none) listed[joint] = true;
  };
  for (const Skeleton& skeleton : model.skeletons)
    if (skeleton.defect == none) list(skeleton.joints);
  std::map<Index, Index> named;  // by the node that skins refer to as their skeleton: a joint
  for (const Skin& skin : model.skins) {
    const Index first = first_joint(skin);
    if (skin.defect != none || first == none) continue;
    list(skin.slots);
    if (skin.root_hint == none) continue;
    const auto [other, is_new] = named.try_emplace(skin.root_hint, first);
    if (!is_new) sets.join(first, other->second);
  }
  // Bones that are only marked join the bones next to them.
  for (Index node = 0; node < model.nodes.size(); ++node) {
    const Index parent = model.nodes[node].parent;
    if (bones[node] && parent != none && bones[parent] && !(listed[node] && listed[parent])) sets.join(node, parent);
  }
  return sets;
}

// Finds the parents of a rig's bones: walks from each bone up to the next bone of the rig.
void find_tops(const Model& model, const std::vector<Index>& rig_of, Index index, Rig& rig) {
  for (const Index bone : rig.bones) {
    const Index parent = model.nodes[bone].parent;
    Index above = parent;
    while (above != none && rig_of[above] != index) above = model.nodes[above].parent;
    if (above == none)
      rig.tops.push_back(bone);
    else if (above != parent)
      rig.gaps.push_back({parent, bone});
  }
}

Index find_frame(const Model& model, const Rig& rig) {
  Index frame = model.nodes[rig.tops.front()].parent;
  for (const Index top : rig.tops)  // nodes above the frame are above all tops too
    while (frame != none && !is_ancestor(model, frame, top)) frame = model.nodes[frame].parent;
  return frame;
}

}  // namespace

bool is_ancestor(const Model& model, Index above, Index node) {
  for (Index up = model.nodes[node].parent; up != none; up = model.nodes[up].parent)
    if (up == above) return true;
  return false;
}

SkeletonView view_skeletons(const Model& model) {
  SkeletonView view;
  view.rig_of.assign(model.nodes.size(), none);
  const std::vector<bool> bones = bones_of(model);
  NodeSets sets = group_bones(model, bones);
  std::map<Index, Index> places;  // by the representative node of a set
  for (Index node = 0; node < model.nodes.size(); ++node) {
    if (!bones[node]) continue;
    const auto [place, is_new] = places.try_emplace(sets.find(node), static_cast<Index>(view.rigs.size()));
    if (is_new) view.rigs.emplace_back();
    view.rig_of[node] = place->second;
    view.rigs[place->second].bones.push_back(node);
  }
  for (Index skin = 0; skin < model.skins.size(); ++skin)
    if (const Index joint = first_joint(model.skins[skin]); joint != none && model.skins[skin].defect == none)
      view.rigs[view.rig_of[joint]].skins.push_back(skin);
  for (Index node = 0; node < model.nodes.size(); ++node) {
    const Index skin = model.nodes[node].skin;
    if (model.nodes[node].mesh == none || skin == none || model.skins[skin].defect != none) continue;
    if (const Index joint = first_joint(model.skins[skin]); joint != none) view.rigs[view.rig_of[joint]].meshes.push_back(node);
  }
  std::vector<bool> listed(model.nodes.size());
  for (const Skeleton& skeleton : model.skeletons)
    for (const Index joint : skeleton.joints)
      if (joint != none) listed[joint] = true;
  for (Index index = 0; index < view.rigs.size(); ++index) {
    Rig& rig = view.rigs[index];
    rig.is_listed = std::ranges::all_of(rig.bones, [&](Index bone) { return listed[bone]; });
    find_tops(model, view.rig_of, index, rig);
    rig.frame = find_frame(model, rig);
  }
  return view;
}

}  // namespace sinew::validate
