// SPDX-License-Identifier: MIT
#include "operations/skeletons/hierarchy.hpp"

#include <algorithm>

namespace sinew::operations {

bool is_above(const Model& model, Index above, Index node) {
  while (node != none && node != above) node = model.nodes[node].parent;
  return node != none;
}

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

Index common_ancestor(const Model& model, std::span<const std::uint32_t> depth, std::span<const Index> nodes) {
  const auto first = std::ranges::find_if(nodes, [](Index node) { return node != none; });
  if (first == nodes.end()) return none;
  Index common = *first;
  for (Index node : nodes) {
    if (node == none) continue;
    while (common != node) {
      if (common == none || node == none) return none;
      Index& lower = depth[common] < depth[node] ? node : common;
      lower = model.nodes[lower].parent;
    }
  }
  return common;
}

Index common_ancestor(const Model& model, std::span<const Index> nodes) { return common_ancestor(model, depths(model), nodes); }

}  // namespace sinew::operations
