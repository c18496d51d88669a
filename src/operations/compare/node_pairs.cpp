// SPDX-License-Identifier: MIT
#include "operations/compare/node_pairs.hpp"

#include <map>
#include <string_view>

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
    const std::vector<Index>&in_a = a_.skins[instances.a.skin].slots, &in_b = b_.skins[instances.b.skin].slots;
    if (in_a.size() != in_b.size()) return;
    for (std::size_t slot = 0; slot < in_a.size(); ++slot) pair(in_a[slot], in_b[slot]);
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
  const Model& a_;
  const Model& b_;
  NodePairs pairs_;
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
