// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "gltf/read/meshes.hpp"
#include "gltf/read/rig/node_tree.hpp"

namespace sinew::gltf {

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
