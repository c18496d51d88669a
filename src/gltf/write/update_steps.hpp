// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "gltf/write/editor.hpp"
#include "model/same.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

inline constexpr std::string_view quantization = "KHR_mesh_quantization";

/// What the parts of one update share. Entities of the same index are the same; what only `after` has is compared with an empty one.
struct Update {
  Editor& editor;
  const Model& before;
  const Model& after;
  std::vector<Index> mesh_places;  ///< in the new file; `none`: a mesh without vertices, which glTF cannot hold
  std::vector<Index> skin_places;  ///< the same for skins without joints
};

// Each writes one kind of thing.
void update_nodes(Update& update);
[[nodiscard]] Result<> update_skins(Update& update);
[[nodiscard]] Result<> update_meshes(Update& update);
void update_clips(Update& update);
void update_scenes(Update& update);
void update_materials(Update& update);
void update_skeletons(Update& update);

/// A surface as a primitive: what it was (null: nothing) and what it is to be.
struct PrimitiveUpdate {
  Update& update;
  std::size_t mesh, primitive;  ///< places in the new file
  const Mesh& mesh_before;
  const Mesh& mesh_after;
  const Surface* before;
  const Surface& after;
  JsonValue old;  ///< missing where it is new

  [[nodiscard]] const VertexBlock* block_before() const { return before == nullptr ? nullptr : &mesh_before.blocks[before->block]; }
  [[nodiscard]] const VertexBlock& block() const { return mesh_after.blocks[after.block]; }
  /// The primitive in the making.
  [[nodiscard]] JsonEdit& edit() const { return list_in(update.editor.element("meshes", mesh), "primitives").at(primitive); }
  [[nodiscard]] std::string pointer() const;
};
/// A primitive's attributes as they stand in the file. Found at once, as a file may have very many.
class OldAttributes {
 public:
  explicit OldAttributes(JsonValue attributes);
  /// What stands there, or a missing value.
  [[nodiscard]] JsonValue find(std::string_view key) const;
  /// The key that an attribute has in the file, or is to have.
  [[nodiscard]] std::string key_of(const Attribute& attribute) const;

 private:
  std::map<std::string, JsonValue, std::less<>> values_;
};
/// The attributes of a block by their meaning.
class SameAttributes {
 public:
  explicit SameAttributes(const VertexBlock* block);  ///< null: none
  /// The attribute of the same meaning, or nullptr.
  [[nodiscard]] const Attribute* of(const Attribute& attribute) const;

 private:
  std::map<std::tuple<Semantic, Index, std::string_view>, const Attribute*> attributes_;
};
/// The primitive's morph targets.
void update_targets(const PrimitiveUpdate& primitive);
/// The mesh's default amounts and the names of its shapes.
void update_shapes(Update& update, std::size_t place, const Mesh& before, const Mesh& after, JsonValue old);

/// The key of an attribute in a primitive; custom ones begin with an underscore.
[[nodiscard]] std::string attribute_name(const Attribute& attribute);
/// Whether glTF without KHR_mesh_quantization knows such values for that attribute (glTF, Meshes, table of attributes).
[[nodiscard]] bool is_core_type(Semantic semantic, const Array& values);

/// Whether the surface gives a primitive: glTF has no accessors without elements. Whether the mesh has such a surface.
[[nodiscard]] bool gives_primitive(const Mesh& mesh, const Surface& surface);
[[nodiscard]] bool gives_mesh(const Mesh& mesh);

/// A node's transform in one of glTF's two forms. Neutral parts are empty.
struct NodeTransform {
  std::optional<std::array<double, 16>> matrix;
  std::optional<std::array<double, 3>> translation;
  std::optional<std::array<double, 4>> rotation;  ///< (x, y, z, w)
  std::optional<std::array<double, 3>> scale;
  const char* note = nullptr;  ///< what could not be said as it is
};
/// Of a transform of dimension 3.
[[nodiscard]] NodeTransform node_transform(const LocalTransform& local);

}  // namespace sinew::gltf
