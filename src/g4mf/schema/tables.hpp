// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/catalogue_g4mf.hpp"
#include "g4mf/schema/tables_carried.hpp"

namespace sinew::g4mf {

// The properties of G4MF's JSON objects in all revisions, one table per object with an enum that names its rows. Reader and checks both
// take them from here.

enum class BufferRow : std::uint8_t { byteLength, compression, chunk, uri, comment, name, extensions, extras, end };
inline constexpr auto buffer_rows = row::with_common({
    row::ranged(row::required(row::whole("byteLength"), "G4MF_BUFFER_BYTE_LENGTH_MISSING"_code), "G4MF_BUFFER_BYTE_LENGTH_NEGATIVE"_code),
    row::typed(row::was(row::text("encoding"), "compression", row::first | row::second, row::third), "G4MF_BUFFER_COMPRESSION_FORMAT"_code),
    row::in(row::whole("chunk"), row::third),
    row::text("uri"),
});
inline constexpr row::Table buffer_table = {buffer_rows};
using BufferObject = Item<BufferRow, buffer_rows>;

enum class BufferViewRow : std::uint8_t { buffer, byteLength, byteOffset, comment, name, extensions, extras, end };
inline constexpr auto buffer_view_rows = row::with_common({
    row::index("buffer", Reference::buffer, "G4MF_BUFFER_VIEW_BUFFER_RANGE"_code),
    row::ranged(row::required(row::whole("byteLength"), "G4MF_BUFFER_VIEW_BYTE_LENGTH_MISSING"_code),
                "G4MF_BUFFER_VIEW_BYTE_LENGTH_NEGATIVE"_code),
    row::ranged(row::whole("byteOffset"), "G4MF_BUFFER_VIEW_BYTE_OFFSET_NEGATIVE"_code),
});
inline constexpr row::Table buffer_view_table = {buffer_view_rows};
using BufferViewObject = Item<BufferViewRow, buffer_view_rows>;

enum class AccessorRow : std::uint8_t { bufferView, componentType, vectorSize, comment, name, extensions, extras, end };
inline constexpr auto accessor_rows = row::with_common({
    row::required(row::index("bufferView", Reference::buffer_view, "G4MF_ACCESSOR_BUFFER_VIEW_RANGE"_code),
                  "G4MF_ACCESSOR_BUFFER_VIEW_MISSING"_code),
    row::was(row::text("componentType"), "primitiveType", row::first, row::second | row::third),  // accessor.cpp: required
    {.name = "vectorSize",
     .type = row::PropertyType::integer,
     .minimum = 1,
     .fallback = 1,
     .range = "G4MF_ACCESSOR_VECTOR_SIZE_NOT_POSITIVE"_code},
});
inline constexpr row::Table accessor_table = {accessor_rows};
using AccessorObject = Item<AccessorRow, accessor_rows>;

// 2026-07: values and the indices that lay them on parts of a surface.
enum class BindingGeometryRow : std::uint8_t { accessor, geometryDimension, decomposeDimension, comment, name, extensions, extras, end };
inline constexpr auto binding_geometry_rows = row::with_common({
    row::required(row::index("accessor", Reference::accessor)),
    row::ranged(row::required(row::whole("geometryDimension"), "G4MF_BINDING_GEOMETRY_DIMENSION"_code),
                "G4MF_BINDING_GEOMETRY_DIMENSION"_code),
    row::ranged(row::whole("decomposeDimension"), "G4MF_BINDING_DECOMPOSE_DIMENSION"_code),
});
inline constexpr row::Table binding_geometry_table = {binding_geometry_rows};
using BindingGeometryObject = Item<BindingGeometryRow, binding_geometry_rows>;

enum class BindingRow : std::uint8_t { geometry, perSimplex, simplexes, values, comment, name, extensions, extras, end };
inline constexpr auto binding_rows = row::with_common({
    row::objects("geometry", binding_geometry_table),
    row::index("perSimplex", Reference::accessor),
    row::index("simplexes", Reference::accessor),
    row::required(row::index("values", Reference::accessor, "G4MF_BINDING_VALUES_MISSING"_code), "G4MF_BINDING_VALUES_MISSING"_code),
});
inline constexpr row::Table binding_table = {binding_rows};
using BindingObject = Item<BindingRow, binding_rows>;

enum class TopologyRow : std::uint8_t { geometry, normals, seams, textureMap, comment, name, extensions, extras, end };
inline constexpr auto topology_rows = row::with_common({
    row::filled(row::indices("geometry", Reference::accessor, "G4MF_TOPOLOGY_GEOMETRY_RANGE"_code), "G4MF_TOPOLOGY_GEOMETRY_EMPTY"_code),
    row::index("normals", Reference::accessor, "G4MF_TOPOLOGY_NORMALS_RANGE"_code),
    row::index("seams", Reference::accessor, "G4MF_TOPOLOGY_SEAMS_RANGE"_code),
    row::index("textureMap", Reference::accessor, "G4MF_TOPOLOGY_TEXTURE_MAP_RANGE"_code),
});
inline constexpr row::Table topology_table = {topology_rows};
using TopologyObject = Item<TopologyRow, topology_rows>;

enum class SurfaceRow : std::uint8_t {
  simplexes,
  edges,
  material,
  normals,
  normals_binding,
  textureMap,
  texture_map_binding,
  polytopeSimplexes,
  topology,
  geometry,
  seams,
  comment,
  name,
  extensions,
  extras,
  end
};
inline constexpr auto surface_rows = row::with_common({
    row::was(row::index("simplexes", Reference::accessor, "G4MF_SURFACE_SIMPLEXES_RANGE"_code), "cells", row::first,
             row::second | row::third),
    row::index("edges", Reference::accessor, "G4MF_SURFACE_EDGES_RANGE"_code),
    row::optional_index(row::index("material", Reference::material, "G4MF_SURFACE_MATERIAL_RANGE"_code)),
    row::in(row::index("normals", Reference::accessor, "G4MF_SURFACE_NORMALS_RANGE"_code), row::first | row::second),
    row::in(row::object("normals", binding_table), row::third),
    row::in(row::index("textureMap", Reference::accessor, "G4MF_SURFACE_TEXTURE_MAP_RANGE"_code), row::first | row::second),
    row::in(row::object("textureMap", binding_table), row::third),
    row::was(row::boolean("polytopeSimplexes"), "polytopeCells", row::first, row::second | row::third),
    row::in(row::object("topology", topology_table), row::first | row::second),
    row::in(row::indices("geometry", Reference::accessor, "G4MF_TOPOLOGY_GEOMETRY_RANGE"_code), row::third),
    row::in(row::index("seams", Reference::accessor, "G4MF_TOPOLOGY_SEAMS_RANGE"_code), row::third),
});
inline constexpr row::Table surface_table = {surface_rows};
using SurfaceObject = Item<SurfaceRow, surface_rows>;

enum class TargetRow : std::uint8_t { indices, offsets, comment, name, extensions, extras, end };
inline constexpr auto target_rows = row::with_common({
    row::required(row::index("indices", Reference::accessor, "G4MF_BLEND_INDICES_RANGE"_code), "G4MF_BLEND_INDICES_MISSING"_code),
    row::required(row::index("offsets", Reference::accessor, "G4MF_BLEND_OFFSETS_RANGE"_code), "G4MF_BLEND_OFFSETS_MISSING"_code),
});
inline constexpr row::Table target_table = {target_rows};
using TargetObject = Item<TargetRow, target_rows>;

enum class ShapeSurfaceRow : std::uint8_t { surface, normal, textureMap, comment, name, extensions, extras, end };
inline constexpr auto shape_surface_rows = row::with_common({
    row::required(row::index("surface", Reference::nothing, "G4MF_BLEND_SURFACE_INDEX_RANGE"_code),
                  "G4MF_BLEND_SURFACE_INDEX_MISSING"_code),
    row::object("normal", target_table),
    row::object("textureMap", target_table),
});
inline constexpr row::Table shape_surface_table = {shape_surface_rows};
using ShapeSurfaceObject = Item<ShapeSurfaceRow, shape_surface_rows>;

enum class ShapeRow : std::uint8_t {
  position,
  normal,
  textureMap,
  topologyNormal,
  topologyTextureMap,
  surfaces,
  comment,
  name,
  extensions,
  extras,
  end
};
inline constexpr auto shape_rows = row::with_common({
    row::object("position", target_table),
    row::in(row::object("normal", target_table), row::first | row::second),
    row::in(row::object("textureMap", target_table), row::first | row::second),
    row::in(row::object("topologyNormal", target_table), row::first | row::second),
    row::in(row::object("topologyTextureMap", target_table), row::first | row::second),
    row::in(row::filled(row::objects("surfaces", shape_surface_table), "G4MF_BLEND_SURFACES_EMPTY"_code), row::third),
});
inline constexpr row::Table shape_table = {shape_rows};
using ShapeObject = Item<ShapeRow, shape_rows>;

enum class BlendRow : std::uint8_t { amounts, shapes, comment, name, extensions, extras, end };
inline constexpr auto blend_rows = row::with_common({
    row::numbers("amounts"),
    row::filled(row::required(row::objects("shapes", shape_table), "G4MF_BLEND_SHAPES_MISSING"_code), "G4MF_BLEND_SHAPES_EMPTY"_code),
});
inline constexpr row::Table blend_table = {blend_rows};
using BlendObject = Item<BlendRow, blend_rows>;

enum class SkinRow : std::uint8_t { groups, vertices, weights, groupNames, comment, name, extensions, extras, end };
inline constexpr auto skin_rows = row::with_common({
    row::required(row::index("groups", Reference::accessor, "G4MF_SKIN_GROUPS_RANGE"_code), "G4MF_SKIN_GROUPS_MISSING"_code),
    row::required(row::index("vertices", Reference::accessor, "G4MF_SKIN_VERTICES_RANGE"_code), "G4MF_SKIN_VERTICES_MISSING"_code),
    row::required(row::index("weights", Reference::accessor, "G4MF_SKIN_WEIGHTS_RANGE"_code), "G4MF_SKIN_WEIGHTS_MISSING"_code),
    row::list("groupNames", row::PropertyType::string),
});
inline constexpr row::Table skin_table = {skin_rows};
using SkinObject = Item<SkinRow, skin_rows>;

enum class MeshRow : std::uint8_t { vertices, surfaces, blend, skin, comment, name, extensions, extras, end };
inline constexpr auto mesh_rows = row::with_common({
    row::required(row::index("vertices", Reference::accessor, "G4MF_MESH_VERTICES_RANGE"_code), "G4MF_MESH_VERTICES_MISSING"_code),
    row::filled(row::required(row::objects("surfaces", surface_table), "G4MF_MESH_SURFACES_MISSING"_code), "G4MF_MESH_SURFACES_EMPTY"_code),
    row::object("blend", blend_table),
    row::object("skin", skin_table),
});
inline constexpr row::Table mesh_table = {mesh_rows};
using MeshObject = Item<MeshRow, mesh_rows>;

enum class BoneRow : std::uint8_t { length, mass, shape, comment, name, extensions, extras, end };
inline constexpr auto bone_rows = row::with_common({
    {.name = "length",
     .type = row::PropertyType::number,
     .minimum = 0,
     .outside = row::Outside::fallback,
     .range = "G4MF_BONE_OBJECT_LENGTH_NEGATIVE"_code},
    {.name = "mass",
     .type = row::PropertyType::number,
     .minimum = 0,
     .outside = row::Outside::fallback,
     .range = "G4MF_BONE_MASS_NEGATIVE"_code},
    row::ranged(row::optional_index(row::index("shape", Reference::shape, "G4MF_BONE_SHAPE_RANGE"_code)), "G4MF_BONE_SHAPE_RANGE"_code),
});
inline constexpr row::Table bone_table = {bone_rows};
using BoneObject = Item<BoneRow, bone_rows>;

enum class MeshInstanceRow : std::uint8_t { mesh, blendAmounts, materials, comment, name, extensions, extras, end };
inline constexpr auto mesh_instance_rows = row::with_common({
    row::required(row::index("mesh", Reference::mesh, "G4MF_MESH_INSTANCE_MESH_RANGE"_code), "G4MF_MESH_INSTANCE_MESH_MISSING"_code),
    row::numbers("blendAmounts"),
    row::filled(row::to(row::list("materials", row::PropertyType::any), Reference::material), "G4MF_MESH_INSTANCE_MATERIALS_EMPTY"_code),
});
inline constexpr row::Table mesh_instance_table = {mesh_instance_rows};
using MeshInstanceObject = Item<MeshInstanceRow, mesh_instance_rows>;

// A slot per entry: what is wrong with one must not move the others, so skeleton.cpp looks at them one by one.
enum class SkeletonRow : std::uint8_t { joints, comment, name, extensions, extras, end };
inline constexpr auto skeleton_rows = row::with_common({
    row::to(row::list("joints", row::PropertyType::any), Reference::node),
});
inline constexpr row::Table skeleton_table = {skeleton_rows};
using SkeletonObject = Item<SkeletonRow, skeleton_rows>;

inline constexpr Code component_code = "G4MF_NODE_COMPONENT_NOT_OBJECT"_code;
enum class NodeRow : std::uint8_t {
  children,
  visible,
  position,
  basis,
  rotor,
  scale,
  bone,
  boneLength,
  camera,
  light,
  light_index,
  meshInstance,
  mesh,
  modelInstance,
  model,
  physics,
  skeleton,
  comment,
  name,
  extensions,
  extras,
  end
};
inline constexpr auto node_rows = row::with_common({
    row::filled(row::indices("children", Reference::node, "G4MF_NODE_CHILD_RANGE"_code), "G4MF_NODE_CHILDREN_EMPTY"_code),
    row::typed(row::boolean("visible", 1), "G4MF_NODE_VISIBLE_NOT_BOOLEAN"_code),
    row::numbers("position"),
    row::numbers("basis"),
    row::numbers("rotor"),
    row::numbers("scale"),
    row::in(row::typed(row::object("bone", bone_table), component_code), row::second | row::third),
    row::in(row::value("boneLength", row::PropertyType::number), row::first),
    row::typed(row::object("camera", camera_table), component_code),
    row::in(row::typed(row::object("light", light_table), component_code), row::second | row::third),
    row::in(row::optional_index(row::index("light", Reference::light, "G4MF_NODE_LIGHT_RANGE"_code)), row::first),
    row::in(row::typed(row::object("meshInstance", mesh_instance_table), component_code), row::second | row::third),
    row::in(row::index("mesh", Reference::mesh, "G4MF_NODE_MESH_RANGE"_code), row::first),
    row::in(row::typed(row::object("modelInstance", model_instance_table), component_code), row::second | row::third),
    row::in(row::optional_index(row::index("model", Reference::model, "G4MF_NODE_MODEL_RANGE"_code)), row::first),
    row::typed(row::object("physics", physics_table), component_code),
    row::typed(row::object("skeleton", skeleton_table), "G4MF_SKELETON_NOT_OBJECT"_code),
});
inline constexpr row::Table node_table = {node_rows};
using NodeObject = Item<NodeRow, node_rows>;

// The binding of a channel has a code of its own for its values.
inline constexpr auto channel_binding_rows = row::with_common({
    row::objects("geometry", binding_geometry_table),
    row::index("perSimplex", Reference::accessor),
    row::index("simplexes", Reference::accessor),
    row::required(row::index("values", Reference::accessor, "G4MF_CHANNEL_ELEMENT_MAP"_code), "G4MF_CHANNEL_ELEMENT_MAP"_code),
});
inline constexpr row::Table channel_binding_table = {channel_binding_rows};

enum class ChannelRow : std::uint8_t {
  factor,
  perSimplex,
  perEdge,
  perVertex,
  texture,
  textureMap,
  texture_map_binding,
  topologyTextureMap,
  elementMap,
  comment,
  name,
  extensions,
  extras,
  end
};
inline constexpr auto channel_rows = row::with_common({
    row::numbers("factor"),
    row::was(row::index("perSimplex", Reference::accessor, "G4MF_CHANNEL_PER_SIMPLEX_RANGE"_code), "perCell", row::first, row::second),
    row::in(row::index("perEdge", Reference::accessor, "G4MF_CHANNEL_PER_EDGE_RANGE"_code), row::first | row::second),
    row::in(row::index("perVertex", Reference::accessor, "G4MF_CHANNEL_PER_VERTEX_RANGE"_code), row::first | row::second),
    row::index("texture", Reference::texture, "G4MF_CHANNEL_TEXTURE_RANGE"_code),
    row::in(row::index("textureMap", Reference::accessor, "G4MF_CHANNEL_TEXTURE_MAP_RANGE"_code), row::first | row::second),
    row::in(row::object("textureMap", channel_binding_table), row::third),
    row::in(row::index("topologyTextureMap", Reference::accessor, "G4MF_CHANNEL_TOPOLOGY_TEXTURE_MAP"_code), row::first | row::second),
    row::in(row::object("elementMap", channel_binding_table), row::third),
});
inline constexpr row::Table channel_table = {channel_rows};
using ChannelObject = Item<ChannelRow, channel_rows>;

enum class MaterialRow : std::uint8_t { baseColor, emissive, normal, orm, comment, name, extensions, extras, end };
inline constexpr auto material_rows = row::with_common({
    row::object("baseColor", channel_table),
    row::object("emissive", channel_table),
    row::object("normal", channel_table),
    row::object("orm", channel_table),
});
inline constexpr row::Table material_table = {material_rows};
using MaterialObject = Item<MaterialRow, material_rows>;

enum class AssetRow : std::uint8_t {
  dimension,
  extensionsRequired,
  extensionsUsed,
  extensionDependencies,
  generator,
  specification,
  thumbnail,
  version,
  comment,
  name,
  extensions,
  extras,
  end
};
inline constexpr auto asset_rows = row::with_common({
    row::value("dimension", row::PropertyType::any),  // asset.cpp says what is wrong with it
    row::list("extensionsRequired", row::PropertyType::string),
    row::list("extensionsUsed", row::PropertyType::string),
    row::value("extensionDependencies", row::PropertyType::object),
    row::text("generator"),
    row::text("specification"),
    row::in(row::optional_index(row::index("thumbnail", Reference::texture, "G4MF_ASSET_THUMBNAIL_RANGE"_code)), row::third),
    row::text("version"),
});
inline constexpr row::Table asset_table = {asset_rows};
using AssetObject = Item<AssetRow, asset_rows>;

// The arrays hold anything: a broken element must not take the others with it. Their tables serve walks over the whole file.
enum class RootRow : std::uint8_t {
  accessors,
  asset,
  buffers,
  bufferViews,
  files,
  lights,
  materials,
  meshes,
  models,
  nodes,
  shapes,
  textures,
  comment,
  name,
  extensions,
  extras,
  end
};
inline constexpr auto root_rows = row::with_common({
    row::array("accessors", &accessor_table),
    row::required(row::object("asset", asset_table), "G4MF_ASSET_MISSING"_code),
    row::array("buffers", &buffer_table),
    row::array("bufferViews", &buffer_view_table),
    row::in(row::array("files", &file_reference_table), row::third),
    row::in(row::array("lights", &light_table), row::first),
    row::array("materials", &material_table),
    row::array("meshes", &mesh_table),
    row::in(row::array("models", &file_reference_table), row::first | row::second),
    row::array("nodes", &node_table),
    row::array("shapes", &physics_shape_table),
    row::array("textures", &texture_table),
});
inline constexpr row::Table root_table = {root_rows};
using RootObject = Item<RootRow, root_rows>;

}  // namespace sinew::g4mf
