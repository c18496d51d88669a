// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gltf/accessor.hpp"

namespace sinew::gltf {

namespace draco {
struct Decoded;
}

/// What an attribute's name says (glTF, Meshes).
struct AttributeName {
  enum class Role : std::uint8_t { attribute, joints, weights } role = Role::attribute;
  Semantic semantic = Semantic::custom;
  Index set = 0;
};
/// Nothing for names that are neither glTF's nor begin with an underscore.
[[nodiscard]] std::optional<AttributeName> parse_attribute_name(std::string_view name);

/// Reads the meshes into the model, and keeps what skins are checked against.
class Meshes {
 public:
  Meshes(Reading& reading, Accessors& accessors, Buffers& buffers);

  /// Whether some primitive of the mesh has influences.
  [[nodiscard]] bool has_joints(Index mesh) const { return !joint_sets_[mesh].empty(); }
  /// Refuses where a vertex of the mesh names a joint that the skin does not have (zero weights count too).
  [[nodiscard]] Checked<> check_joints(Index mesh, Index skin, std::size_t joints);

 private:
  struct JointSet {
    JsonValue at;  ///< the attribute
    Array joints;
    std::optional<std::uint32_t> largest;
  };
  /// An attribute of a primitive with its data.
  struct Read {
    std::string key;
    AttributeName is;
    JsonValue at;
    Array values;
  };
  /// What a primitive becomes.
  struct Parts {
    VertexBlock block;
    Array elements;
    bool indexed = false;
    bool triangles = false;  ///< whatever its mode says
    std::vector<JointSet> joint_sets;
    std::vector<JsonValue> targets;
    std::shared_ptr<const draco::Decoded> decoded;  ///< the compressed geometry, if any
  };

  void read_mesh(JsonValue value);
  void read_shapes(const MeshObject& object, Mesh& mesh, const std::vector<std::vector<JsonValue>>& targets);
  [[nodiscard]] Checked<Parts> read_primitive(const PrimitiveObject& object);
  [[nodiscard]] Checked<> read_compressed(const PrimitiveObject& object, JsonValue compressed, Parts& parts);
  [[nodiscard]] Checked<std::vector<Read>> read_attributes(const PrimitiveObject& object, Parts& parts);
  [[nodiscard]] Checked<Read> read_attribute(const document::JsonMember& member, JsonValue compressed, const Parts& parts);
  void read_influences(JsonValue attributes, const std::vector<Read>& list, Parts& parts);
  [[nodiscard]] Checked<> read_indices(const PrimitiveObject& object, Parts& parts);
  [[nodiscard]] Checked<> read_target(JsonValue target, Index shape, VertexBlock& block);
  [[nodiscard]] Checked<Offsets> read_offsets(JsonValue at, Index shape, const Attribute& base);
  /// The accessor that an attribute names. Precondition of the rest: its format is usable.
  [[nodiscard]] Checked<Index> accessor_of(JsonValue at);

  Reading& reading_;
  Accessors& accessors_;
  Buffers& buffers_;
  std::vector<std::vector<JointSet>> joint_sets_;  ///< per mesh
};

}  // namespace sinew::gltf
