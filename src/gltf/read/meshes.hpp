// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gltf/read/accessors.hpp"
#include "gltf/schema/attribute_names.hpp"

namespace sinew::gltf {

namespace draco {
struct Decoded;
}

/// Morph targets of a primitive; none where the list cannot be used.
[[nodiscard]] std::size_t target_count(const PrimitiveObject& object);

/// Reads the meshes into the model, and keeps what nodes and skins are checked against.
class Meshes {
 public:
  Meshes(Reader& reader, Accessors& accessors, Buffers& buffers);

  /// Whether every primitive of the mesh has influences, or some has none, by the names of their attributes.
  [[nodiscard]] bool all_skinned(Index mesh);
  [[nodiscard]] bool any_unskinned(Index mesh);
  /// Morph targets of the mesh's first primitive; nothing where the mesh has no primitives.
  [[nodiscard]] std::optional<std::size_t> targets(Index mesh) const { return stored_[mesh].targets; }
  /// Refuses where a vertex of the mesh names a joint that the skin does not have (zero weights count too).
  [[nodiscard]] Checked<> check_joints(Index mesh, Index skin, std::size_t joints);

 private:
  /// What is kept of a primitive.
  struct Skinned {
    struct Set {
      JsonValue at;  ///< JOINTS_n
      Array joints;
      std::optional<std::uint32_t> largest;
    };
    std::vector<Set> sets;
    std::size_t named = 0;  ///< sets by the names of the attributes
  };
  struct Stored {
    std::size_t first_primitive = 0;  ///< the rest up to the next mesh's are its own, too
    std::optional<std::size_t> targets;
  };
  /// What a primitive says of its targets.
  struct Targets {
    JsonValue value;
    JsonValue list;
    std::size_t count = 0;
    bool read = false;  ///< whether they are in the model
  };
  /// An attribute of a primitive with its data.
  struct Read {
    std::string key;
    AttributeName is;
    JsonValue at;
    Array values;
    std::uint64_t count = 0;
  };
  /// What a primitive becomes.
  struct Parts {
    VertexBlock block;
    Array elements;
    bool indexed = false;
    bool triangles = false;                         ///< whatever its mode says
    std::shared_ptr<const draco::Decoded> decoded;  ///< the compressed geometry, if any
    AttributeNames names;
    Skinned skinned;
  };

  void read_mesh(JsonValue value);
  void read_shapes(const MeshObject& object, Mesh& mesh);
  void check_target_counts(const MeshObject& object);
  [[nodiscard]] AttributeNames read_attribute_names(JsonValue attributes);
  [[nodiscard]] Checked<> read_primitive(const PrimitiveObject& object, Parts& parts);
  [[nodiscard]] Checked<> read_compressed(const PrimitiveObject& object, JsonValue compressed, Parts& parts);
  [[nodiscard]] Checked<> read_attributes(const PrimitiveObject& object, Parts& parts);
  [[nodiscard]] Checked<> read_attribute(const document::JsonMember& member, JsonValue compressed, const Parts& parts);
  void read_influences(Parts& parts);
  [[nodiscard]] Checked<> read_indices(const PrimitiveObject& object, Parts& parts);
  [[nodiscard]] Checked<> read_elements(const PrimitiveObject& object, Parts& parts, std::uint32_t& largest);
  [[nodiscard]] Checked<> read_target(JsonValue target, Index shape, Parts& parts);
  [[nodiscard]] Checked<> read_target_attribute(const document::JsonMember& member, Index shape, Parts& parts);
  [[nodiscard]] Checked<Offsets> read_offsets(JsonValue at, Index accessor, Index shape, const Attribute& base);
  /// The accessor that an attribute names. Precondition of the rest: its format is usable.
  [[nodiscard]] Checked<Index> accessor_of(JsonValue at);
  [[nodiscard]] std::size_t vertices() const { return attributes_.empty() ? 0 : attributes_.front().count; }
  [[nodiscard]] std::span<Skinned> primitives(Index mesh);

  Reader& reader_;
  Accessors& accessors_;
  Buffers& buffers_;
  std::vector<Stored> stored_;       ///< per mesh, and one behind the last
  std::vector<Skinned> primitives_;  ///< of all meshes
  std::vector<Targets> targets_;     ///< of the mesh that is read now
  std::vector<Read> attributes_;     ///< of the primitive that is read now
};

}  // namespace sinew::gltf
