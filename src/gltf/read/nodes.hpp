// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "gltf/read/meshes.hpp"

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

/// Reads nodes into the model: names, transforms (Model::rest), trees without cycles, and indices of meshes and skins.
class Nodes {
 public:
  explicit Nodes(Reading& reading);

  [[nodiscard]] const NodeTree& tree() const { return tree_; }
  /// Whether a node names it as a child, be it in a loop that had to be cut.
  [[nodiscard]] bool is_child(Index node) const { return stored_[node].child; }
  /// Checks nodes with a mesh against their mesh and skin, and gives them their amounts. Meshes and skins have been read.
  void link(Meshes& meshes);
  /// Rules about what a node is good for: only for Checks::all. Skins have been read.
  void check_use() const;

 private:
  struct Stored {
    JsonValue value;
    JsonValue children;
    JsonValue weights;
    bool camera = false;
    bool child = false;
  };
  void read_node(JsonValue value);
  void read_tree();
  void cut_loops();
  void limit_depth();
  void set_amounts(Index node, const Mesh& mesh);
  void check_skin(Index node, Meshes& meshes);
  void check_skinned(Index node) const;

  Reading& reading_;
  Model& model_;
  bool thorough_;  ///< every rule is checked
  std::vector<Stored> stored_;
  NodeTree tree_;
};

}  // namespace sinew::gltf
