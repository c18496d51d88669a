// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "gltf/read/meshes.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

/// The trees of nodes, for queries about ancestors.
class NodeTree {
 public:
  NodeTree() = default;
  /// Precondition: the nodes form trees.
  explicit NodeTree(const std::vector<Node>& nodes);
  /// Returns whether `above` is `node` or an ancestor of it.
  [[nodiscard]] bool is_above(Index above, Index node) const { return first_[above] <= first_[node] && first_[node] < end_[above]; }
  [[nodiscard]] Index root(Index node) const { return root_[node]; }
  [[nodiscard]] Index parent(Index node) const { return parent_[node]; }
  /// Returns the node's number in preorder: a node and its descendants have consecutive numbers.
  [[nodiscard]] Index first(Index node) const { return first_[node]; }
  /// Returns the number of levels of the deepest tree.
  [[nodiscard]] std::size_t depth() const { return depth_; }

 private:
  std::vector<Index> first_, end_;  ///< `end_`: one past the last descendant
  std::vector<Index> root_, parent_;
  std::size_t depth_ = 0;
};

/// Reads nodes into the model: names, transforms (Model::rest), trees without cycles, and indices of meshes and skins.
class Nodes {
 public:
  explicit Nodes(Reader& reader);

  [[nodiscard]] const NodeTree& tree() const { return tree_; }
  /// Returns whether a node lists this node as a child, even in a loop that was cut.
  [[nodiscard]] bool is_child(Index node) const { return parents_[node] != none; }
  /// Checks nodes with a mesh against their mesh and skin, and sets their amounts. Precondition: meshes and skins are read.
  [[nodiscard]] Checked<> link(Meshes& meshes);

 private:
  /// Positions in the tape; 0: absent.
  struct Stored {
    std::uint32_t value, children, weights;
  };
  [[nodiscard]] JsonValue json(std::uint32_t id) const;
  void read_node(JsonValue value);
  [[nodiscard]] bool link_plainly();
  void link_and_report();
  void make_trees();
  void set_amounts(Index node, const Mesh& mesh);
  void check_skin(Index node, Meshes& meshes);

  Reader& reader_;
  Model& model_;
  std::vector<Stored> stored_;
  std::vector<Index> meshed_;                   ///< nodes with a mesh of the file
  std::vector<std::pair<Index, Index>> links_;  ///< a parent and its child; `none`: the child is not a node
  std::vector<Index> parents_;                  ///< as listed, including loops
  NodeTree tree_;
};

}  // namespace sinew::gltf
