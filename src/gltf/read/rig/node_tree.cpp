// SPDX-License-Identifier: MIT
#include "gltf/read/rig/node_tree.hpp"

#include <algorithm>

namespace sinew::gltf {

NodeTree::NodeTree(const std::vector<Node>& nodes) : first_(nodes.size()), end_(nodes.size()), root_(nodes.size()), parent_(nodes.size()) {
  std::ranges::transform(nodes, parent_.begin(), &Node::parent);
  Index next = 0;
  struct Step {
    Index node;
    std::size_t child;
  };
  std::vector<Step> open;
  const auto enter = [&](Index node) {
    first_[node] = next++;
    root_[node] = open.empty() ? node : open.front().node;
    open.push_back({node, 0});
  };
  for (Index root = 0; root < nodes.size(); ++root) {
    if (nodes[root].parent != none) continue;
    enter(root);
    while (!open.empty()) {
      Step& step = open.back();
      if (step.child < nodes[step.node].children.size()) {
        enter(nodes[step.node].children[step.child++]);
      } else {
        end_[step.node] = next;
        open.pop_back();
      }
    }
  }
}

}  // namespace sinew::gltf
