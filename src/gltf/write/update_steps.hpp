// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/message.hpp"
#include "gltf/write/editor.hpp"
#include "model/same.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::gltf {

inline constexpr std::string_view quantization = "KHR_mesh_quantization";

/// The state that all parts of an update share. Entities with equal indices correspond; new ones are compared with an empty entity.
struct Update {
  Editor& editor;
  const Model& before;
  const Model& after;
  std::vector<Index> mesh_places;  ///< in the new file; `none`: a mesh without vertices, which glTF cannot hold
  std::vector<Index> skin_places;  ///< the same for skins without joints
};

// Each function writes one kind of object.
void update_nodes(Update& update);
[[nodiscard]] Result<> update_skins(Update& update);
[[nodiscard]] Result<> update_meshes(Update& update);
void update_clips(Update& update);
void update_scenes(Update& update);
void update_materials(Update& update);
void update_skeletons(Update& update);

/// A primitive before (null: new) and after the edit.
struct PrimitiveUpdate {
  Update& update;
  std::size_t mesh, primitive;  ///< places in the new file
  const Mesh& mesh_before;
  const Mesh& mesh_after;
  const Surface* before;
  const Surface& after;
  JsonValue old;  ///< missing if the primitive is new

  [[nodiscard]] const VertexBlock* block_before() const { return before == nullptr ? nullptr : &mesh_before.blocks[before->block]; }
  [[nodiscard]] const VertexBlock& block() const { return mesh_after.blocks[after.block]; }
  [[nodiscard]] JsonEdit& edit() const { return list_in(update.editor.element("meshes", mesh), "primitives").at(primitive); }
  [[nodiscard]] std::string pointer() const { return format_text("/meshes/{}/primitives/{}", mesh, primitive); }
};
/// The attributes of a primitive in the file, in a map, because a file may have very many.
class OldAttributes {
 public:
  explicit OldAttributes(JsonValue attributes);
  /// Returns the stored value, or a missing value.
  [[nodiscard]] JsonValue find(std::string_view key) const;
  /// Returns the key of an attribute in the file, or the key for a new one.
  [[nodiscard]] std::string key_of(const Attribute& attribute) const;

 private:
  std::map<std::string, JsonValue, std::less<>> values_;
};
/// The attributes of a block by semantic, set and name.
class SameAttributes {
 public:
  explicit SameAttributes(const VertexBlock* block);  ///< null: none
  /// Returns the corresponding attribute, or nullptr.
  [[nodiscard]] const Attribute* of(const Attribute& attribute) const;

 private:
  std::map<std::tuple<Semantic, Index, std::string_view>, const Attribute*> attributes_;
};
void update_targets(const PrimitiveUpdate& primitive);
/// Writes the mesh's default amounts and the names of its shapes.
void update_shapes(Update& update, std::size_t place, const Mesh& before, const Mesh& after, JsonValue old);

/// Return whether the surface becomes a primitive (glTF has no empty accessors), and whether the mesh has such a surface.
[[nodiscard]] bool gives_primitive(const Mesh& mesh, const Surface& surface);
[[nodiscard]] bool gives_mesh(const Mesh& mesh);

/// A node's transform in one of glTF's two forms. Empty parts are neutral.
struct NodeTransform {
  std::vector<double> matrix, translation, rotation, scale;  ///< a rotation is (x, y, z, w)
  const char* note = nullptr;                                ///< what was approximated
};
/// Precondition: dimension 3.
[[nodiscard]] NodeTransform node_transform(const LocalTransform& local);

}  // namespace sinew::gltf
