// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"

namespace sinew::gltf {

/// The nodes' place in their trees, for questions about ancestors.
class NodeTree {
 public:
  NodeTree() = default;
  explicit NodeTree(const std::vector<Node>& nodes);
  /// Whether `above` is `node` or an ancestor of it.
  [[nodiscard]] bool is_above(Index above, Index node) const { return first_[above] <= first_[node] && first_[node] < end_[above]; }
  [[nodiscard]] Index root(Index node) const { return root_[node]; }
  [[nodiscard]] Index parent(Index node) const { return parent_[node]; }
  /// The node's number in a walk from the roots: a node and its descendants have consecutive ones.
  [[nodiscard]] Index first(Index node) const { return first_[node]; }

 private:
  std::vector<Index> first_, end_;  ///< the end is one past the last of its descendants
  std::vector<Index> root_, parent_;
};

}  // namespace sinew::gltf
