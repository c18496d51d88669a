// SPDX-License-Identifier: MIT
#include "gltf/write/write_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew::gltf {
namespace {

void write_attributes(JsonWriter& json, const VertexBlock& block, const MeshContext& context) {
  json.key("attributes").begin_object();
  for (const Attribute& attribute : block.attributes) {
    const std::string name = attribute_name(attribute);
    if (!accessor_width(attribute.values.width())) {
      context.notes.push_back(fmt::format("{} is lost: glTF has no accessor type with {} components", name, attribute.values.width()));
      continue;
    }
    if (!is_core_type(attribute.semantic, attribute.values)) context.carried.use_quantization();
    const AccessorUse use = attribute.semantic == Semantic::position ? AccessorUse::positions : AccessorUse::attribute;
    json.key(name).integer(context.buffer.add_accessor(attribute.values, use));
  }
  json.end_object();
}

void write_primitive(JsonWriter& json, const Mesh& mesh, const Surface& surface, const MeshContext& context) {
  json.begin_object();
  write_attributes(json, mesh.blocks[surface.block], context);
  if (surface.indexed) json.key("indices").integer(context.buffer.add_accessor(surface.elements, AccessorUse::indices));
  if (surface.material != none) json.key("material").integer(surface.material);
  // Primitive lists the modes in the order of their numbers in glTF; triangles are its default.
  if (surface.primitive != Primitive::simplexes) json.key("mode").integer(static_cast<std::uint64_t>(surface.primitive));
  context.carried.write_extensions_and_extras(json, context.carried.object(surface.source));
  json.end_object();
}

bool gives_mesh(const Mesh& mesh) {
  return std::ranges::any_of(mesh.surfaces, [&](const Surface& surface) { return gives_primitive(mesh, surface); });
}

}  // namespace

std::string attribute_name(const Attribute& attribute) {
  switch (attribute.semantic) {
    case Semantic::position:
      return "POSITION";
    case Semantic::normal:
      return "NORMAL";
    case Semantic::tangent:
      return "TANGENT";
    case Semantic::texcoord:
      return fmt::format("TEXCOORD_{}", attribute.set);
    case Semantic::color:
      return fmt::format("COLOR_{}", attribute.set);
    case Semantic::custom:
      break;
  }
  return attribute.custom.starts_with('_') ? attribute.custom : "_" + attribute.custom;
}

bool is_core_type(Semantic semantic, const Array& values) {
  const ComponentType type = values.type();
  const bool unsigned_normalized = (type == ComponentType::uint8 || type == ComponentType::uint16) && values.normalized();
  switch (semantic) {
    case Semantic::position:
    case Semantic::normal:
    case Semantic::tangent:
      return is_float(type);
    case Semantic::texcoord:
    case Semantic::color:
      return is_float(type) || unsigned_normalized;
    case Semantic::custom:
      break;
  }
  return true;
}

bool gives_primitive(const Mesh& mesh, const Surface& surface) {
  return mesh.blocks[surface.block].vertices != 0 && !(surface.indexed && surface.elements.empty());
}

std::vector<Index> mesh_places(const Model& model) {
  std::vector<Index> places;
  Index next = 0;
  for (const Mesh& mesh : model.meshes) places.push_back(gives_mesh(mesh) ? next++ : none);
  return places;
}

void write_meshes(JsonWriter& json, const MeshContext& context) {
  if (std::ranges::none_of(context.model.meshes, gives_mesh)) return;
  json.key("meshes").begin_array();
  for (const Mesh& mesh : context.model.meshes) {
    if (!gives_mesh(mesh)) continue;
    json.begin_object();
    if (!mesh.name.empty()) json.key("name").string(mesh.name);
    json.key("primitives").begin_array();
    for (const Surface& surface : mesh.surfaces)
      if (gives_primitive(mesh, surface)) write_primitive(json, mesh, surface, context);
    json.end_array();
    context.carried.write_extensions_and_extras(json, context.carried.object(mesh.source));
    json.end_object();
  }
  json.end_array();
}

}  // namespace sinew::gltf
