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
  [[nodiscard]] bool is_child(Index node) const { return stored_[node].child; }
  /// Checks nodes with a mesh against their mesh and skin, and gives them their amounts. Meshes and skins have been read.
  void link(Meshes& meshes);

 private:
  struct Stored {
    JsonValue value;
    JsonValue children;
    JsonValue weights;
    bool child = false;
  };
  void read_node(JsonValue value);
  void read_tree();
  void cut_loops();
  void limit_depth();
  void set_amounts(Index node, const Mesh& mesh);
  void check_skin(Index node, Meshes& meshes);

  Reader& reader_;
  Model& model_;
  std::vector<Stored> stored_;
  NodeTree tree_;
};

}  // namespace sinew::gltf
