// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_set>

#include "ops/strict_skeletons.hpp"

namespace sinew::ops {
namespace {

std::vector<std::uint32_t> depths(const Model& model) {
  constexpr std::uint32_t unknown = 0;
  std::vector<std::uint32_t> depth(model.nodes.size(), unknown);
  std::vector<Index> path;
  for (Index start = 0; start < model.nodes.size(); ++start) {
    Index node = start;
    for (; node != none && depth[node] == unknown; node = model.nodes[node].parent) path.push_back(node);
    std::uint32_t above = node == none ? 0 : depth[node];
    for (; !path.empty(); path.pop_back()) depth[path.back()] = ++above;
  }
  return depth;
}

/// The lowest node that is above all or one of them; none where they hang in several trees.
Index common_ancestor(const Model& model, const std::vector<std::uint32_t>& depth, const std::vector<Index>& nodes) {
  Index common = nodes.front();
  for (Index node : nodes)
    while (common != node) {
      if (common == none || node == none) return none;
      Index& lower = depth[common] < depth[node] ? node : common;
      lower = model.nodes[lower].parent;
    }
  return common;
}

/// Adds every node between the given joints and the lowest one above all of them; finds the tops.
void close(const Model& model, const std::vector<std::uint32_t>& depth, StrictGroup& group) {
  const Index common = common_ancestor(model, depth, group.joints);
  std::unordered_set<Index> known(group.joints.begin(), group.joints.end());
  const bool has_root = common != none && known.contains(common);
  for (std::size_t i = 0; i < group.given; ++i) {
    if (group.joints[i] == common) continue;
    for (Index node = model.nodes[group.joints[i]].parent; node != common && known.insert(node).second; node = model.nodes[node].parent)
      group.joints.push_back(node);
  }
  group.parent = has_root ? model.nodes[common].parent : common;
  group.tops.clear();
  for (const Index joint : group.joints)
    if (const Index parent = model.nodes[joint].parent; parent == none || !known.contains(parent)) group.tops.push_back(joint);
  std::ranges::sort(group.tops);
  const auto given = std::span(group.joints).first(group.given);
  group.joinable =
      common != none || std::ranges::all_of(group.tops, [&](Index top) { return std::ranges::find(given, top) != given.end(); });
}

void add_joints(const std::vector<Index>& joints, std::unordered_set<Index>& known, StrictGroup& group) {
  for (const Index joint : joints)
    if (known.insert(joint).second) group.joints.push_back(joint);
}

/// Which of several things belong together.
class Union {
 public:
  explicit Union(std::size_t count) : first_(count) { std::iota(first_.begin(), first_.end(), 0u); }
  [[nodiscard]] std::size_t find(std::size_t thing) {
    while (first_[thing] != thing) thing = first_[thing] = first_[first_[thing]];
    return thing;
  }
  /// True where they were apart.
  bool join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    first_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

 private:
  std::vector<std::size_t> first_;
};

}  // namespace

std::vector<StrictGroup> group_skins(const Model& model) {
  const std::vector<std::uint32_t> depth = depths(model);
  const std::size_t skeletons = model.skeletons.size(), things = skeletons + model.skins.size();
  const auto joints_of = [&](std::size_t thing) -> const std::vector<Index>& {
    return thing < skeletons ? model.skeletons[thing].joints : model.skins[thing - skeletons].slots;
  };
  Union together(things);
  // Until no node is wanted by two groups: what lies between the joints of one may be a joint of another.
  for (;;) {
    std::vector<StrictGroup> groups(things);
    std::vector<std::unordered_set<Index>> known(things);
    for (std::size_t thing = 0; thing < things; ++thing) {
      const std::size_t group = together.find(thing);
      if (thing < skeletons && groups[group].skeleton == none) groups[group].skeleton = static_cast<Index>(thing);
      if (thing >= skeletons) groups[group].skins.push_back(static_cast<Index>(thing - skeletons));
      add_joints(joints_of(thing), known[group], groups[group]);
    }
    bool joined = false;
    std::vector<std::size_t> owner(model.nodes.size(), things);
    for (std::size_t g = 0; g < things; ++g) {
      StrictGroup& group = groups[g];
      group.given = group.joints.size();
      if (group.joints.empty()) continue;
      close(model, depth, group);
      for (const Index joint : group.joints) {
        if (owner[joint] != things) joined |= together.join(owner[joint], g);
        owner[joint] = g;
      }
    }
    if (joined) continue;
    std::erase_if(groups, [](const StrictGroup& group) { return group.joints.empty(); });
    return groups;
  }
}

}  // namespace sinew::ops
