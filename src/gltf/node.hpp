// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "gltf/mesh.hpp"

namespace sinew::gltf {

/// The nodes' place in their trees, for questions about ancestors.
class NodeTree {
 public:
  NodeTree() = default;
  explicit NodeTree(const std::vector<Node>& nodes);
  /// Whether `above` is `node` or an ancestor of it.
  [[nodiscard]] bool is_above(Index above, Index node) const { return first_[above] <= first_[node] && first_[node] < end_[above]; }
  [[nodiscard]] Index root(Index node) const { return root_[node]; }

 private:
  std::vector<Index> first_, end_;  ///< the node's number in a walk from the roots, and one past the last of its descendants
  std::vector<Index> root_;
};

/// Reads nodes into the model: names, transforms (Model::rest), trees without cycles, and indices of meshes and skins.
class Nodes {
 public:
  explicit Nodes(Reading& reading);

  [[nodiscard]] const NodeTree& tree() const { return tree_; }
  /// Checks nodes with a mesh against their mesh and skin, and gives them their amounts. Meshes and skins have been read.
  void link(Meshes& meshes);

 private:
  struct Stored {
    JsonValue value;
    JsonValue children;
    JsonValue weights;
  };
  void read_node(JsonValue value);
  void read_children(Index parent);
  void open_cycles();
  void limit_depth();
  void set_amounts(Index node, const Mesh& mesh);
  void check_skin(Index node, Meshes& meshes);

  Reading& reading_;
  Model& model_;
  std::vector<Stored> stored_;
  NodeTree tree_;
};

}  // namespace sinew::gltf
