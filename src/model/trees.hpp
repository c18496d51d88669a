// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sinew/model.hpp"

namespace sinew {

/// Removes all links of cycles from a list of parents. Each node has one parent, so everything except trees is a cycle with trees attached.
/// Calls `cut(node, parent)` for every node that loses its parent.
template <class Cut>
void open_cycles(std::vector<Index>& parents, Cut cut) {
  std::vector<Index> seen_from(parents.size(), none);
  for (Index start = 0; start < parents.size(); ++start) {
    Index node = start;
    while (node != none && seen_from[node] == none) {
      seen_from[node] = start;
      node = parents[node];
    }
    if (node == none || seen_from[node] != start) continue;
    while (parents[node] != none) {
      const Index parent = std::exchange(parents[node], none);
      cut(node, parent);
      node = parent;
    }
  }
}

/// Calls `use(node)` for every node that lies deeper than `limit` levels. Precondition: the nodes are trees.
template <class Use>
void for_each_deeper(const std::vector<Node>& nodes, std::uint64_t limit, Use use) {
  std::vector<std::pair<Index, std::uint64_t>> open;
  for (Index i = 0; i < nodes.size(); ++i)
    if (nodes[i].parent == none) open.emplace_back(i, 1);
  while (!open.empty()) {
    const auto [node, depth] = open.back();
    open.pop_back();
    if (depth > limit) use(node);
    for (const Index child : nodes[node].children) open.emplace_back(child, depth + 1);
  }
}

/// Returns all nodes, parents before their children. Precondition: the nodes are trees.
inline std::vector<Index> parents_first(const std::vector<Node>& nodes) {
  std::vector<Index> order;
  order.reserve(nodes.size());
  for (Index node = 0; node < nodes.size(); ++node)
    if (nodes[node].parent == none) order.push_back(node);
  for (std::size_t i = 0; i < order.size(); ++i)
    order.insert(order.end(), nodes[order[i]].children.begin(), nodes[order[i]].children.end());
  return order;
}

/// Marks the nodes above marked ones. Precondition: the nodes are trees.
inline void mark_above(const std::vector<Node>& nodes, std::vector<bool>& marked) {
  for (Index node = 0; node < nodes.size(); ++node)
    if (marked[node])
      for (Index up = nodes[node].parent; up != none && !marked[up]; up = nodes[up].parent) marked[up] = true;
}

}  // namespace sinew
