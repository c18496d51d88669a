// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "document/json_writer.hpp"
#include "gltf/write/write_buffer.hpp"
#include "gltf/write/write_carried.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

/// What meshes are written with.
struct MeshContext {
  const Model& model;
  BufferWriter& buffer;
  Carried& carried;
  std::vector<std::string>& notes;
};

/// The key of an attribute in a primitive; custom ones begin with an underscore.
[[nodiscard]] std::string attribute_name(const Attribute& attribute);
/// Whether glTF without KHR_mesh_quantization knows such values for that attribute (glTF, Meshes, table of attributes).
[[nodiscard]] bool is_core_type(Semantic semantic, const Array& values);

/// Whether the surface gives a primitive: glTF has no accessors without elements.
[[nodiscard]] bool gives_primitive(const Mesh& mesh, const Surface& surface);
/// The place of every mesh of the model in the file; none for meshes without primitives, which are left out.
[[nodiscard]] std::vector<Index> mesh_places(const Model& model);
/// The member meshes; left out where it would be empty.
void write_meshes(JsonWriter& json, const MeshContext& context);

}  // namespace sinew::gltf
