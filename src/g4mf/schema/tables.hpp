// SPDX-License-Identifier: MIT
#pragma once

#include "base/catalogue_g4mf.hpp"
#include "g4mf/schema/tables_carried.hpp"

namespace sinew::g4mf {

// The properties of G4MF's JSON objects in all revisions, one table per object. Reader, checks and writers use these tables and select a
// row by the property's name.

inline constexpr row::TableOf buffer_table{{
    row::ranged(row::required(row::whole("byteLength"), "G4MF_BUFFER_BYTE_LENGTH_MISSING"_code), "G4MF_BUFFER_BYTE_LENGTH_NEGATIVE"_code),
    row::typed(row::was(row::text("encoding"), "compression", row::first | row::second, row::third), "G4MF_BUFFER_COMPRESSION_FORMAT"_code),
    row::in(row::whole("chunk"), row::third),
    row::text("uri"),
}};
using BufferObject = Item<buffer_table>;

inline constexpr row::TableOf buffer_view_table{{
    row::index("buffer", Reference::buffer, "G4MF_BUFFER_VIEW_BUFFER_RANGE"_code),
    row::ranged(row::required(row::whole("byteLength"), "G4MF_BUFFER_VIEW_BYTE_LENGTH_MISSING"_code),
                "G4MF_BUFFER_VIEW_BYTE_LENGTH_NEGATIVE"_code),
    row::ranged(row::whole("byteOffset"), "G4MF_BUFFER_VIEW_BYTE_OFFSET_NEGATIVE"_code),
}};
using BufferViewObject = Item<buffer_view_table>;

inline constexpr row::TableOf accessor_table{{
    row::required(row::index("bufferView", Reference::buffer_view, "G4MF_ACCESSOR_BUFFER_VIEW_RANGE"_code),
                  "G4MF_ACCESSOR_BUFFER_VIEW_MISSING"_code),
    row::was(row::text("componentType"), "primitiveType", row::first, row::second | row::third),  // accessor.cpp: required
    {.name = "vectorSize",
     .type = PropertyType::integer,
     .minimum = 1,
     .fallback = 1,
     .range = "G4MF_ACCESSOR_VECTOR_SIZE_NOT_POSITIVE"_code},
}};
using AccessorObject = Item<accessor_table>;

// 2026-07: values, and the indices that assign them to parts of a surface.
inline constexpr row::TableOf binding_geometry_table{{
    row::required(row::index("accessor", Reference::accessor)),
    row::ranged(row::required(row::whole("geometryDimension"), "G4MF_BINDING_GEOMETRY_DIMENSION"_code),
                "G4MF_BINDING_GEOMETRY_DIMENSION"_code),
    row::ranged(row::whole("decomposeDimension"), "G4MF_BINDING_DECOMPOSE_DIMENSION"_code),
}};
using BindingGeometryObject = Item<binding_geometry_table>;

inline constexpr row::TableOf binding_table{{
    row::objects("geometry", binding_geometry_table),
    row::index("perSimplex", Reference::accessor),
    row::index("simplexes", Reference::accessor),
    row::required(row::index("values", Reference::accessor, "G4MF_BINDING_VALUES_MISSING"_code), "G4MF_BINDING_VALUES_MISSING"_code),
}};
using BindingObject = Item<binding_table>;

inline constexpr row::TableOf topology_table{{
    row::filled(row::indices("geometry", Reference::accessor, "G4MF_TOPOLOGY_GEOMETRY_RANGE"_code), "G4MF_TOPOLOGY_GEOMETRY_EMPTY"_code),
    row::index("normals", Reference::accessor, "G4MF_TOPOLOGY_NORMALS_RANGE"_code),
    row::index("seams", Reference::accessor, "G4MF_TOPOLOGY_SEAMS_RANGE"_code),
    row::index("textureMap", Reference::accessor, "G4MF_TOPOLOGY_TEXTURE_MAP_RANGE"_code),
}};
using TopologyObject = Item<topology_table>;

inline constexpr row::TableOf surface_table{{
    row::was(row::index("simplexes", Reference::accessor, "G4MF_SURFACE_SIMPLEXES_RANGE"_code), "cells", row::first,
             row::second | row::third),
    row::index("edges", Reference::accessor, "G4MF_SURFACE_EDGES_RANGE"_code),
    row::ignorable(row::index("material", Reference::material, "G4MF_SURFACE_MATERIAL_RANGE"_code)),
    row::in(row::index("normals", Reference::accessor, "G4MF_SURFACE_NORMALS_RANGE"_code), row::first | row::second),
    row::in(row::object("normals", binding_table), row::third),
    row::in(row::index("textureMap", Reference::accessor, "G4MF_SURFACE_TEXTURE_MAP_RANGE"_code), row::first | row::second),
    row::in(row::object("textureMap", binding_table), row::third),
    row::was(row::boolean("polytopeSimplexes"), "polytopeCells", row::first, row::second | row::third),
    row::in(row::object("topology", topology_table), row::first | row::second),
    row::in(row::indices("geometry", Reference::accessor, "G4MF_TOPOLOGY_GEOMETRY_RANGE"_code), row::third),
    row::in(row::index("seams", Reference::accessor, "G4MF_TOPOLOGY_SEAMS_RANGE"_code), row::third),
}};
using SurfaceObject = Item<surface_table>;

inline constexpr row::TableOf target_table{{
    row::required(row::index("indices", Reference::accessor, "G4MF_BLEND_INDICES_RANGE"_code), "G4MF_BLEND_INDICES_MISSING"_code),
    row::required(row::index("offsets", Reference::accessor, "G4MF_BLEND_OFFSETS_RANGE"_code), "G4MF_BLEND_OFFSETS_MISSING"_code),
}};
using TargetObject = Item<target_table>;

inline constexpr row::TableOf shape_surface_table{{
    row::required(row::index("surface", Reference::nothing, "G4MF_BLEND_SURFACE_INDEX_RANGE"_code),
                  "G4MF_BLEND_SURFACE_INDEX_MISSING"_code),
    row::object("normal", target_table),
    row::object("textureMap", target_table),
}};
using ShapeSurfaceObject = Item<shape_surface_table>;

inline constexpr row::TableOf shape_table{{
    row::object("position", target_table),
    row::in(row::object("normal", target_table), row::first | row::second),
    row::in(row::object("textureMap", target_table), row::first | row::second),
    row::in(row::object("topologyNormal", target_table), row::first | row::second),
    row::in(row::object("topologyTextureMap", target_table), row::first | row::second),
    row::in(row::filled(row::objects("surfaces", shape_surface_table), "G4MF_BLEND_SURFACES_EMPTY"_code), row::third),
}};
using ShapeObject = Item<shape_table>;

inline constexpr row::TableOf blend_table{{
    row::numbers("amounts"),
    row::filled(row::required(row::objects("shapes", shape_table), "G4MF_BLEND_SHAPES_MISSING"_code), "G4MF_BLEND_SHAPES_EMPTY"_code),
}};
using BlendObject = Item<blend_table>;

inline constexpr row::TableOf skin_table{{
    row::required(row::index("groups", Reference::accessor, "G4MF_SKIN_GROUPS_RANGE"_code), "G4MF_SKIN_GROUPS_MISSING"_code),
    row::required(row::index("vertices", Reference::accessor, "G4MF_SKIN_VERTICES_RANGE"_code), "G4MF_SKIN_VERTICES_MISSING"_code),
    row::required(row::index("weights", Reference::accessor, "G4MF_SKIN_WEIGHTS_RANGE"_code), "G4MF_SKIN_WEIGHTS_MISSING"_code),
    row::list("groupNames", PropertyType::string),
}};
using SkinObject = Item<skin_table>;

inline constexpr row::TableOf mesh_table{{
    row::required(row::index("vertices", Reference::accessor, "G4MF_MESH_VERTICES_RANGE"_code), "G4MF_MESH_VERTICES_MISSING"_code),
    row::filled(row::required(row::objects("surfaces", surface_table), "G4MF_MESH_SURFACES_MISSING"_code), "G4MF_MESH_SURFACES_EMPTY"_code),
    row::object("blend", blend_table),
    row::object("skin", skin_table),
}};
using MeshObject = Item<mesh_table>;

inline constexpr row::TableOf bone_table{{
    row::ranged(row::ignorable(row::from_zero("length")), "G4MF_BONE_OBJECT_LENGTH_NEGATIVE"_code),
    row::ranged(row::ignorable(row::from_zero("mass")), "G4MF_BONE_MASS_NEGATIVE"_code),
    row::ranged(row::ignorable(row::index("shape", Reference::shape, "G4MF_BONE_SHAPE_RANGE"_code)), "G4MF_BONE_SHAPE_RANGE"_code),
}};
using BoneObject = Item<bone_table>;

inline constexpr row::TableOf mesh_instance_table{{
    row::required(row::index("mesh", Reference::mesh, "G4MF_MESH_INSTANCE_MESH_RANGE"_code), "G4MF_MESH_INSTANCE_MESH_MISSING"_code),
    row::numbers("blendAmounts"),
    row::filled(row::to(row::list("materials", PropertyType::any), Reference::material), "G4MF_MESH_INSTANCE_MATERIALS_EMPTY"_code),
}};
using MeshInstanceObject = Item<mesh_instance_table>;

// One slot per element: an error in one must not move the others, so skeletons.cpp reads them one by one.
inline constexpr row::TableOf skeleton_table{{
    row::to(row::list("joints", PropertyType::any), Reference::node),
}};
using SkeletonObject = Item<skeleton_table>;

inline constexpr Code component_code = "G4MF_NODE_COMPONENT_NOT_OBJECT"_code;
inline constexpr row::TableOf node_table{{
    row::filled(row::indices("children", Reference::node, "G4MF_NODE_CHILD_RANGE"_code), "G4MF_NODE_CHILDREN_EMPTY"_code),
    row::typed(row::boolean("visible", 1), "G4MF_NODE_VISIBLE_NOT_BOOLEAN"_code),
    row::numbers("position"),
    row::numbers("basis"),
    row::numbers("rotor"),
    row::numbers("scale"),
    row::in(row::typed(row::object("bone", bone_table), component_code), row::second | row::third),
    row::in(row::value("boneLength", PropertyType::number), row::first),
    row::typed(row::object("camera", camera_table), component_code),
    row::in(row::typed(row::object("light", light_table), component_code), row::second | row::third),
    row::in(row::ignorable(row::index("light", Reference::light, "G4MF_NODE_LIGHT_RANGE"_code)), row::first),
    row::in(row::typed(row::object("meshInstance", mesh_instance_table), component_code), row::second | row::third),
    row::in(row::index("mesh", Reference::mesh, "G4MF_NODE_MESH_RANGE"_code), row::first),
    row::in(row::typed(row::object("modelInstance", model_instance_table), component_code), row::second | row::third),
    row::in(row::ignorable(row::index("model", Reference::model, "G4MF_NODE_MODEL_RANGE"_code)), row::first),
    row::typed(row::object("physics", physics_table), component_code),
    row::typed(row::object("skeleton", skeleton_table), "G4MF_SKELETON_NOT_OBJECT"_code),
}};
using NodeObject = Item<node_table>;

// The binding of a channel has its own code for wrong values.
inline constexpr row::TableOf channel_binding_table{{
    row::objects("geometry", binding_geometry_table),
    row::index("perSimplex", Reference::accessor),
    row::index("simplexes", Reference::accessor),
    row::required(row::index("values", Reference::accessor, "G4MF_CHANNEL_ELEMENT_MAP"_code), "G4MF_CHANNEL_ELEMENT_MAP"_code),
}};

inline constexpr row::TableOf channel_table{{
    row::numbers("factor"),
    row::was(row::index("perSimplex", Reference::accessor, "G4MF_CHANNEL_PER_SIMPLEX_RANGE"_code), "perCell", row::first, row::second),
    row::in(row::index("perEdge", Reference::accessor, "G4MF_CHANNEL_PER_EDGE_RANGE"_code), row::first | row::second),
    row::in(row::index("perVertex", Reference::accessor, "G4MF_CHANNEL_PER_VERTEX_RANGE"_code), row::first | row::second),
    row::index("texture", Reference::texture, "G4MF_CHANNEL_TEXTURE_RANGE"_code),
    row::in(row::index("textureMap", Reference::accessor, "G4MF_CHANNEL_TEXTURE_MAP_RANGE"_code), row::first | row::second),
    row::in(row::object("textureMap", channel_binding_table), row::third),
    row::in(row::index("topologyTextureMap", Reference::accessor, "G4MF_CHANNEL_TOPOLOGY_TEXTURE_MAP"_code), row::first | row::second),
    row::in(row::object("elementMap", channel_binding_table), row::third),
}};
using ChannelObject = Item<channel_table>;

inline constexpr row::TableOf material_table{{
    row::object("baseColor", channel_table),
    row::object("emissive", channel_table),
    row::object("normal", channel_table),
    row::object("orm", channel_table),
}};
using MaterialObject = Item<material_table>;
/// The channels of a material.
inline constexpr std::string_view channel_names[] = {"baseColor", "emissive", "normal", "orm"};

inline constexpr row::TableOf asset_table{{
    row::value("dimension", PropertyType::any),  // checked in asset.cpp
    row::list("extensionsRequired", PropertyType::string),
    row::list("extensionsUsed", PropertyType::string),
    row::value("extensionDependencies", PropertyType::object),
    row::text("generator"),
    row::text("specification"),
    row::in(row::ignorable(row::index("thumbnail", Reference::texture, "G4MF_ASSET_THUMBNAIL_RANGE"_code)), row::third),
    row::text("version"),
}};
using AssetObject = Item<asset_table>;

// Elements may have any type: a broken element must not make the others unusable. Walks over the whole file use their tables.
inline constexpr row::TableOf root_table{{
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
}};
using RootObject = Item<root_table>;
/// The lists of file references, by revision.
inline constexpr RootObject::Row file_lists[] = {"files", "models"};

}  // namespace sinew::g4mf
