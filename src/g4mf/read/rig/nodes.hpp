// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "g4mf/schema/data/accessors.hpp"

namespace sinew::g4mf {

/// Reads nodes into the model: names, transforms (Model::rest), trees without cycles, bones, and indices of meshes.
class Nodes {
 public:
  explicit Nodes(Reader& reader);

  /// Sets the amounts and materials of nodes with a mesh. Precondition: meshes are read.
  [[nodiscard]] Checked<> link();
  [[nodiscard]] JsonValue value(Index node) const { return stored_[node].value; }
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
/// Reads clips, and sets the pose of the model's nodes. Skeletons with a bone whose pose differs from the stored transform get bind
/// matrices (Skeleton::joint_from_mesh), and so do their skins. Precondition: skeletons are read.
void read_animation(Reader& reader, Accessors& accessors);
}  // namespace animation

/// Reads Model::avatar, which a conversion from glTF has stored in `extras`. Leaves out what no longer fits the model after an edit.
/// Precondition: nodes and meshes are read.
void read_avatar(Reader& reader);

/// Reads the skeletons into the model, and makes a skin for each child of a skeleton node with a skinned mesh. Missing group names are
/// those of the joints. Precondition: nodes and meshes are read.
void read_skeletons(Reader& reader, const Nodes& nodes);

}  // namespace sinew::g4mf
