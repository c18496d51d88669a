// SPDX-License-Identifier: MIT
#include "operations/compare/node_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/guard.hpp"

namespace sinew::operations {

namespace {

using Unique = std::map<std::string_view, Index>;

/// Returns the index of each name, or `none` if it occurs several times, without empty names.
template <class List, class NameOf>
Unique unique_names(const List& list, NameOf name_of) {
  Unique unique;
  for (Index i = 0; i < list.size(); ++i)
    if (const std::string_view name = name_of(list[i]); !name.empty())
      if (const auto [found, added] = unique.emplace(name, i); !added) found->second = none;
  return unique;
}

template <class Use>
void for_each_shared_name(const Unique& a, const Unique& b, Use use) {
  for (const auto& [name, i] : a)
    if (const auto found = b.find(name); i != none && found != b.end() && found->second != none) use(i, found->second);
}

class NodePairing {
 public:
  NodePairing(const Model& a, const Model& b) : a_(a), b_(b) {
    pairs_.b_of.assign(a.nodes.size(), none);
    pairs_.a_of.assign(b.nodes.size(), none);
  }

  /// Pairs two nodes if neither has a counterpart.
  bool pair(Index a, Index b) {
    if (a >= a_.nodes.size() || b >= b_.nodes.size() || pairs_.b_of[a] != none || pairs_.a_of[b] != none) return false;
    pairs_.b_of[a] = b;
    pairs_.a_of[b] = a;
    return true;
  }

  void pair_slots(const InstancePair& instances) {
    if (instances.a.skin == none || instances.b.skin == none) return;
    const Skin &in_a = a_.skins[instances.a.skin], &in_b = b_.skins[instances.b.skin];
    const bool any_name = in_a.slots.size() == in_b.slots.size();
    pair_alike(in_a, in_b, any_name);
    if (!any_name) return;
    for (std::size_t slot = 0; slot < in_a.slots.size(); ++slot) pair(in_a.slots[slot], in_b.slots[slot]);
  }

  void pair_parents() {
    for (Index node = 0; node < a_.nodes.size(); ++node) {
      Index a = node, b = pairs_.b_of[node];
      while (b != none) {
        a = a_.nodes[a].parent;
        b = b_.nodes[b].parent;
        if (!pair(a, b)) break;
      }
    }
  }

  NodePairs take() { return std::move(pairs_); }

 private:
  /// Identifies a joint without a unique name: its place and axes at rest and its bind matrix, as rounded numbers.
  using Look = std::pair<std::string_view, std::vector<float>>;

  /// Pairs joints that look alike in the order of their slots. A skin may list its joints in any order. If skins have other joints, too, a
  /// name must be the same (or missing) in both.
  void pair_alike(const Skin& skin_a, const Skin& skin_b, bool any_name) {
    std::map<Look, std::vector<Index>> by_look;
    const auto each = [any_name](const Model& model, const Skin& skin, const std::vector<Affine>& world, const std::vector<Index>& paired,
                                 auto use) {
      for (std::size_t slot = 0; slot < skin.slots.size(); ++slot) {
        const Index node = skin.slots[slot];
        if (node >= paired.size() || paired[node] != none) continue;
        Look look;
        if (!any_name) look.first = model.nodes[node].name;
        for (const double value : world[node].values()) look.second.push_back(rounded(value));
        if (slot < skin.joint_from_mesh.size())
          for (const double value : skin.joint_from_mesh[slot].values()) look.second.push_back(rounded(value));
        use(std::move(look), node);
      }
    };
    each(b_, skin_b, world_b(), pairs_.a_of, [&](Look look, Index node) { by_look[std::move(look)].push_back(node); });
    for (auto& [look, nodes] : by_look) std::ranges::reverse(nodes);
    each(a_, skin_a, world_a(), pairs_.b_of, [&](const Look& look, Index node) {
      const auto found = by_look.find(look);
      if (found == by_look.end()) return;
      pair(node, found->second.back());
      found->second.pop_back();
      if (found->second.empty()) by_look.erase(found);
    });
  }

  /// Sixteen bits: tools rewrite numbers in float32.
  static float rounded(double value) {
    int exponent = 0;
    const double digits = std::frexp(value, &exponent);
    return static_cast<float>(std::ldexp(std::round(digits * 0x1p16) + 0.0, exponent - 16));
  }

  const std::vector<Affine>& world_a() { return world_of(a_, world_a_); }
  const std::vector<Affine>& world_b() { return world_of(b_, world_b_); }
  static const std::vector<Affine>& world_of(const Model& model, std::vector<Affine>& world) {
    if (world.empty()) world = need(world_transforms(model, model.rest_pose));
    return world;
  }

  const Model& a_;
  const Model& b_;
  NodePairs pairs_;
  std::vector<Affine> world_a_, world_b_;
};

}  // namespace

Paired pair_by_name(std::span<const std::string> a, std::span<const std::string> b) {
  const auto name_of = [](const std::string& name) { return std::string_view(name); };
  std::vector<Index> of_a(a.size(), none), of_b(b.size(), none);
  for_each_shared_name(unique_names(a, name_of), unique_names(b, name_of), [&](Index in_a, Index in_b) {
    of_a[in_a] = in_b;
    of_b[in_b] = in_a;
  });
  Paired paired;
  Index next = 0;  // of B
  for (Index i = 0; i < of_a.size(); ++i) {
    if (of_a[i] == none) {
      while (next < of_b.size() && of_b[next] != none) ++next;
      if (next == of_b.size()) {
        paired.only_a.push_back(i);
        continue;
      }
      of_a[i] = next;
      of_b[next] = i;
    }
    paired.pairs.emplace_back(i, of_a[i]);
  }
  for (Index i = 0; i < of_b.size(); ++i)
    if (of_b[i] == none) paired.only_b.push_back(i);
  return paired;
}

NodePairs pair_nodes(const Model& a, const Model& b, std::span<const InstancePair> instances) {
  NodePairing pairing(a, b);
  for (const InstancePair& pair : instances) pairing.pair(pair.a.node, pair.b.node);
  const auto name_of = [](const Node& node) { return std::string_view(node.name); };
  for_each_shared_name(unique_names(a.nodes, name_of), unique_names(b.nodes, name_of),
                       [&](Index in_a, Index in_b) { pairing.pair(in_a, in_b); });
  for (const InstancePair& pair : instances) pairing.pair_slots(pair);
  pairing.pair_parents();
  return pairing.take();
}

}  // namespace sinew::operations
