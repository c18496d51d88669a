// SPDX-License-Identifier: MIT
#include "operations/skeletons/skeleton_groups.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/disjoint_sets.hpp"
#include "operations/skeletons/hierarchy.hpp"

namespace sinew::operations {
namespace {

/// One pass over all groups. Each node belongs to the first group that claims it, so that a pass is linear in the number of nodes. Groups
/// that claim the same node are joined; the result of that pass is then discarded.
class Look {
 public:
  Look(const Model& model, const std::vector<std::uint32_t>& depth, DisjointSets& together, std::size_t things)
      : model_(model), depth_(depth), together_(together), nobody_(things), owner_(model.nodes.size(), things), groups_(things) {}

  [[nodiscard]] bool joined() const { return joined_; }
  [[nodiscard]] std::vector<StrictGroup>& groups() { return groups_; }

  void add(std::size_t group, const std::vector<Index>& joints) {
    for (const Index joint : joints)
      if (claim(joint, group)) groups_[group].joints.push_back(joint);
    groups_[group].given = groups_[group].joints.size();
  }

  /// Adds every node between the given joints and their lowest common ancestor; finds the topmost ones.
  void close(std::size_t number) {
    StrictGroup& group = groups_[number];
    const Index common = common_ancestor(model_, depth_, group.joints);
    const bool has_root = common != none && owner_[common] == number;
    for (std::size_t i = 0; i < group.given; ++i) {
      if (group.joints[i] == common) continue;
      for (Index node = model_.nodes[group.joints[i]].parent; node != common && claim(node, number); node = model_.nodes[node].parent)
        group.joints.push_back(node);
    }
    group.parent = has_root ? model_.nodes[common].parent : common;
    for (const Index joint : group.joints)
      if (const Index parent = model_.nodes[joint].parent; parent == none || owner_[parent] != number) group.tops.push_back(joint);
    std::ranges::sort(group.tops);
    const std::set<Index> given(group.joints.begin(), group.joints.begin() + static_cast<std::ptrdiff_t>(group.given));
    group.joinable = common != none || std::ranges::all_of(group.tops, [&](Index top) { return given.contains(top); });
  }

 private:
  /// Claims the node for the group; returns whether it was free.
  bool claim(Index node, std::size_t group) {
    if (owner_[node] == group) return false;
    if (owner_[node] != nobody_) {
      joined_ |= together_.join(owner_[node], group);
      return false;
    }
    owner_[node] = group;
    return true;
  }

  const Model& model_;
  const std::vector<std::uint32_t>& depth_;
  DisjointSets& together_;
  std::size_t nobody_;
  std::vector<std::size_t> owner_;
  std::vector<StrictGroup> groups_;
  bool joined_ = false;
};

}  // namespace

std::vector<StrictGroup> group_skins(const Model& model) {
  const std::vector<std::uint32_t> depth = depths(model);
  const std::size_t skeletons = model.skeletons.size(), things = skeletons + model.skins.size();
  DisjointSets together(things);
  for (;;) {
    Look look(model, depth, together, things);
    for (std::size_t thing = 0; thing < things; ++thing) {
      const std::size_t group = together.find(thing);
      const bool is_skeleton = thing < skeletons;
      if (is_skeleton && look.groups()[group].skeleton == none) look.groups()[group].skeleton = static_cast<Index>(thing);
      if (!is_skeleton) look.groups()[group].skins.push_back(static_cast<Index>(thing - skeletons));
      look.add(group, is_skeleton ? model.skeletons[thing].joints : model.skins[thing - skeletons].slots);
    }
    for (std::size_t group = 0; group < things; ++group)
      if (!look.groups()[group].joints.empty()) look.close(group);
    if (look.joined()) continue;
    std::erase_if(look.groups(), [](const StrictGroup& group) { return group.joints.empty(); });
    return std::move(look.groups());
  }
}

}  // namespace sinew::operations
