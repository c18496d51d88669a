// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "gltf/read/meshes.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

/// The nodes' place in their trees, for questions about ancestors.
class NodeTree {
 public:
  /// A node that another one lists as its child.
  struct Link {
    Index parent = none;
    Index child = none;
  };

  NodeTree() = default;
  /// `links` are by ascending parents; those that `parents` does not have are passed over. Precondition: the parents make trees.
  NodeTree(std::vector<Index> parents, std::span<const Link> links);
  /// Whether `above` is `node` or an ancestor of it.
  [[nodiscard]] bool is_above(Index above, Index node) const { return first_[above] <= first_[node] && first_[node] < end_[above]; }
  [[nodiscard]] Index root(Index node) const { return root_[node]; }
  [[nodiscard]] Index parent(Index node) const { return parent_[node]; }
  [[nodiscard]] std::span<const Index> children(Index node) const {
    return std::span(children_).subspan(children_begin_[node], children_begin_[node + 1] - children_begin_[node]);
  }
  /// The node's number in a walk from the roots: a node and its descendants have consecutive ones.
  [[nodiscard]] Index first(Index node) const { return first_[node]; }
  /// Levels of the deepest tree.
  [[nodiscard]] std::size_t depth() const { return depth_; }

 private:
  void link(std::span<const Link> links);

  std::vector<Index> first_, end_;  ///< the end is one past the last of its descendants
  std::vector<Index> root_, parent_;
  std::vector<Index> children_, children_begin_;  ///< one list behind the other, and where each begins
  std::size_t depth_ = 0;
};

/// Reads nodes into the model: names, transforms (Model::rest), trees without cycles, and indices of meshes and skins.
class Nodes {
 public:
  explicit Nodes(Reader& reader);

  [[nodiscard]] const NodeTree& tree() const { return tree_; }
  /// Whether a node names it as a child, be it in a loop that had to be cut.
  [[nodiscard]] bool is_child(Index node) const { return parents_[node] != none; }
  /// Checks nodes with a mesh against their mesh and skin, and gives them their amounts. Meshes and skins have been read.
  void link(Meshes& meshes);

 private:
  /// Places in the tape; 0 where there is nothing.
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
  std::vector<Index> meshed_;          ///< nodes with a mesh of the file
  std::vector<NodeTree::Link> links_;  ///< `none` for a child that is no node
  std::vector<Index> parents_;         ///< as listed, be it in loops
  NodeTree tree_;
};

}  // namespace sinew::gltf
