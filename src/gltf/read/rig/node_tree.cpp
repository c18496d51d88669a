// SPDX-License-Identifier: MIT
#include "gltf/read/rig/node_tree.hpp"

#include <algorithm>

namespace sinew::gltf {

NodeTree::NodeTree(std::vector<Index> parents, std::span<const Link> links)
    : first_(parents.size()), end_(parents.size()), root_(parents.size()), parent_(std::move(parents)) {
  link(links);
  Index next = 0;
  struct Step {
    Index node;
    Index child;
  };
  std::vector<Step> open;
  const auto enter = [&](Index node) {
    first_[node] = next++;
    root_[node] = open.empty() ? node : open.front().node;
    open.push_back({node, children_begin_[node]});
    depth_ = std::max(depth_, open.size());
  };
  for (Index root = 0; root < parent_.size(); ++root) {
    if (parent_[root] != none) continue;
    enter(root);
    while (!open.empty()) {
      Step& step = open.back();
      if (step.child < children_begin_[step.node + 1]) {
        enter(children_[step.child++]);
      } else {
        end_[step.node] = next;
        open.pop_back();
      }
    }
  }
}

void NodeTree::link(std::span<const Link> links) {
  std::vector<bool> placed(parent_.size());  // a parent may list a child twice
  children_.reserve(links.size());
  children_begin_.reserve(parent_.size() + 1);
  auto link = links.begin();
  for (Index node = 0; node < parent_.size(); ++node) {
    children_begin_.push_back(static_cast<Index>(children_.size()));
    for (; link != links.end() && link->parent == node; ++link) {
      if (link->child == none || parent_[link->child] != node || placed[link->child]) continue;
      placed[link->child] = true;
      children_.push_back(link->child);
    }
  }
  children_begin_.push_back(static_cast<Index>(children_.size()));
}

}  // namespace sinew::gltf
