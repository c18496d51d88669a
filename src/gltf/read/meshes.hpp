// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gltf/read/accessors.hpp"
#include "gltf/schema/attribute_names.hpp"

namespace sinew::gltf {

namespace draco {
struct Decoded;
}

/// Returns the number of a primitive's morph targets; 0 if the list cannot be used.
[[nodiscard]] std::size_t target_count(const PrimitiveObject& object);

/// Reads the meshes into the model. Keeps the data that nodes and skins are checked against.
class Meshes {
 public:
  Meshes(Reader& reader, Accessors& accessors, Buffers& buffers);

  /// Returns whether every primitive of the mesh has influences, judged by the names of their attributes.
  [[nodiscard]] bool all_skinned(Index mesh);
  /// Returns the number of morph targets of the mesh's first primitive, or nothing if the mesh has no primitives.
  [[nodiscard]] std::optional<std::size_t> targets(Index mesh) const { return stored_[mesh].targets; }
  /// Refuses if a vertex of the mesh uses a joint that the skin does not have, even with weight 0.
  [[nodiscard]] Checked<> check_joints(Index mesh, Index skin, std::size_t joints);

 private:
  /// The data of a primitive that later checks need.
  struct Skinned {
    struct Set {
      JsonValue at;  ///< JOINTS_n
      Array joints;
      std::optional<std::uint32_t> largest;
    };
    std::vector<Set> sets;
    std::size_t named = 0;  ///< counted by the names of the attributes
  };
  struct Stored {
    std::size_t first_primitive = 0;  ///< its primitives end where those of the next mesh begin
    std::optional<std::size_t> targets;
  };
  struct Targets {
    JsonValue value;
    JsonValue list;
    std::size_t count = 0;
    bool read = false;  ///< they are in the model
  };
  /// An attribute of a primitive with its data.
  struct Read {
    std::string key;
    AttributeName is;
    JsonValue at;
    Array values;
    std::uint64_t count = 0;
  };
  /// The parts of a surface while a primitive is read.
  struct Parts {
    VertexBlock block;
    Array elements;
    bool indexed = false;
    bool triangles = false;                         ///< ignores the mode of the primitive
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
  [[nodiscard]] Checked<> read_attribute(const JsonMember& member, JsonValue compressed, const Parts& parts);
  void read_influences(Parts& parts);
  [[nodiscard]] Checked<> read_indices(const PrimitiveObject& object, Parts& parts);
  [[nodiscard]] Checked<> read_elements(const PrimitiveObject& object, Parts& parts, std::uint32_t& largest);
  [[nodiscard]] Checked<> read_target_attribute(const JsonMember& member, Index shape, Parts& parts);
  [[nodiscard]] Checked<Offsets> read_offsets(JsonValue at, Index accessor, Index shape, const Attribute& base);
  /// Returns the accessor of an attribute. The other functions require that its format is usable.
  [[nodiscard]] Checked<Index> accessor_of(JsonValue at);
  [[nodiscard]] std::size_t vertices() const { return attributes_.empty() ? 0 : attributes_.front().count; }
  [[nodiscard]] std::span<Skinned> primitives(Index mesh);

  Reader& reader_;
  Accessors& accessors_;
  Buffers& buffers_;
  std::vector<Stored> stored_;       ///< per mesh, and one after the last
  std::vector<Skinned> primitives_;  ///< of all meshes
  std::vector<Targets> targets_;     ///< of the current mesh
  std::vector<Read> attributes_;     ///< of the current primitive
};

}  // namespace sinew::gltf
