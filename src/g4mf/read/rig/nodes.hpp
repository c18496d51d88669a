// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "g4mf/schema/data/accessors.hpp"

namespace sinew::g4mf {

/// Reads nodes into the model: names, transforms (Model::rest), trees without cycles, bones, and indices of meshes.
class Nodes {
 public:
  explicit Nodes(Reader& reader);

  /// Gives nodes with a mesh their amounts and materials. Meshes have been read.
  void link();
  [[nodiscard]] JsonValue value(Index node) const { return stored_[node].value; }
  /// The `skeleton` object of a node; missing where it is none.
  [[nodiscard]] JsonValue skeleton(Index node) const { return stored_[node].skeleton; }

 private:
  struct Stored {
    JsonValue value;
    JsonValue children;
    JsonValue amounts;
    JsonValue materials;
    JsonValue skeleton;
  };
  void read_node(JsonValue value);
  void read_mesh(const NodeObject& object, Node& node, Stored& stored);
  void read_bone(const NodeObject& object, Node& node);
  void check_components(const NodeObject& object);
  void read_children(Index parent);
  void set_amounts(Index node);
  void set_materials(Index node);

  Reader& reader_;
  Model& model_;
  std::vector<Stored> stored_;
};

namespace animation {
/// Reads clips into the model and puts its nodes into their pose. Skeletons have been read; those with a bone in another pose than the one
/// that is stored get bind matrices (Skeleton::joint_from_mesh), and so do their skins.
void read_animation(Reader& reader, Accessors& accessors);
}  // namespace animation

/// Reads the skeletons into the model, and makes a skin of each skeleton node and each child of it that carries a skinned mesh. Nodes and
/// meshes have been read. Group names that a mesh lacks are those of its joints.
void read_skeletons(Reader& reader, const Nodes& nodes);

}  // namespace sinew::g4mf
