// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/catalogue_gltf.hpp"
#include "document/object.hpp"

namespace sinew::gltf {

// The properties of glTF's JSON objects (glTF 2.0, Properties Reference, and its JSON schemas), one table per object with an enum that
// names its rows. Reader and checks both take them from here.

/// What an index points into: an array of the root object, or the samplers of the same animation.
enum class Reference : std::uint8_t {
  nothing,
  accessor,
  animation,
  animation_sampler,
  buffer,
  buffer_view,
  camera,
  image,
  material,
  mesh,
  node,
  sampler,
  scene,
  skin,
  texture,
  skeleton,  ///< of STAIK_skeletons
  count
};

/// The name of the array that a reference points into, for messages.
[[nodiscard]] constexpr std::string_view array_name(Reference reference) {
  constexpr std::string_view names[] = {"nothing", "accessors", "animations", "samplers", "buffers", "bufferViews",
                                        "cameras", "images",    "materials",  "meshes",   "nodes",   "samplers",
                                        "scenes",  "skins",     "textures",   "skeletons"};
  static_assert(std::size(names) == static_cast<std::size_t>(Reference::count));
  return names[static_cast<std::size_t>(reference)];
}

namespace row {  // short forms for the tables below

using document::Outside;
using document::Property;
using document::PropertyType;
using Need = Property::Need;

constexpr Property value(std::string_view name, PropertyType type, Need need = Need::optional) {
  return {.name = name, .type = type, .need = need};
}
constexpr Property list(std::string_view name, PropertyType type, Need need = Need::optional) {
  return {.name = name, .type = type, .need = need, .shape = Property::Shape::list};
}
constexpr Property boolean(std::string_view name, double fallback = 0) {
  return {.name = name, .type = PropertyType::boolean, .fallback = fallback};
}
constexpr Property index(std::string_view name, Reference to, Need need = Need::optional) {
  return {.name = name, .type = PropertyType::index, .need = need, .reference = static_cast<std::uint8_t>(to)};
}
/// An index that no vertex depends on: a negative one counts as absent.
constexpr Property hint(std::string_view name, Reference to) {
  return {.name = name, .type = PropertyType::index, .outside = Outside::fallback, .reference = static_cast<std::uint8_t>(to)};
}
constexpr Property indices(std::string_view name, Reference to, Need need = Need::optional) {
  return {.name = name,
          .type = PropertyType::index,
          .need = need,
          .shape = Property::Shape::list,
          .items = Property::Items::unique,
          .reference = static_cast<std::uint8_t>(to)};
}
/// A count or size: at least `minimum` by the specification, though less is harmless.
constexpr Property size(std::string_view name, double minimum, Need need = Need::required) {
  return {.name = name, .type = PropertyType::integer, .need = need, .minimum = minimum, .outside = Outside::keep};
}
constexpr Property offset(std::string_view name) { return {.name = name, .type = PropertyType::integer, .minimum = 0}; }
constexpr Property numbers(std::string_view name, std::uint32_t count, double limit = std::numeric_limits<double>::infinity()) {
  return {.name = name,
          .type = PropertyType::number,
          .shape = Property::Shape::list,
          .least = count,
          .most = count,
          .minimum = -limit,
          .maximum = limit,
          .outside = Outside::keep};
}
constexpr Property choice(std::string_view name, std::span<const std::string_view> words, Need need = Need::optional, double fallback = 0) {
  return {.name = name, .type = PropertyType::string, .need = need, .words = words, .fallback = fallback};
}
constexpr Property code(std::string_view name, std::span<const double> numbers, Need need, double fallback = 0) {
  return {.name = name, .type = PropertyType::integer, .need = need, .numbers = numbers, .fallback = fallback};
}
inline constexpr Property name = value("name", PropertyType::string);
inline constexpr Property extensions = value("extensions", PropertyType::object);
inline constexpr Property extras = value("extras", PropertyType::any);

}  // namespace row

enum class RootRow : std::uint8_t {
  accessors,
  animations,
  asset,
  buffers,
  bufferViews,
  cameras,
  extensionsUsed,
  extensionsRequired,
  images,
  materials,
  meshes,
  nodes,
  samplers,
  scene,
  scenes,
  skins,
  textures,
  extensions,
  extras,
  end
};
inline constexpr row::Property root_table[] = {
    row::list("accessors", row::PropertyType::any),
    row::list("animations", row::PropertyType::any),
    row::value("asset", row::PropertyType::object, row::Need::required),
    row::list("buffers", row::PropertyType::any),
    row::list("bufferViews", row::PropertyType::any),
    row::list("cameras", row::PropertyType::any),
    row::list("extensionsUsed", row::PropertyType::string),
    row::list("extensionsRequired", row::PropertyType::string),
    row::list("images", row::PropertyType::any),
    row::list("materials", row::PropertyType::any),
    row::list("meshes", row::PropertyType::any),
    row::list("nodes", row::PropertyType::any),
    row::list("samplers", row::PropertyType::any),
    row::index("scene", Reference::scene),
    row::list("scenes", row::PropertyType::any),
    row::list("skins", row::PropertyType::any),
    row::list("textures", row::PropertyType::any),
    row::extensions,
    row::extras,
};
using RootObject = document::ObjectOf<RootRow, root_table>;

enum class AssetRow : std::uint8_t { copyright, generator, version, minVersion, extensions, extras, end };
inline constexpr row::Property asset_table[] = {
    row::value("copyright", row::PropertyType::string),
    row::value("generator", row::PropertyType::string),
    row::value("version", row::PropertyType::string, row::Need::required),
    row::value("minVersion", row::PropertyType::string),
    row::extensions,
    row::extras,
};
using AssetObject = document::ObjectOf<AssetRow, asset_table>;

enum class BufferRow : std::uint8_t { uri, byteLength, name, extensions, extras, end };
inline constexpr row::Property buffer_table[] = {
    row::value("uri", row::PropertyType::uri), row::size("byteLength", 1), row::name, row::extensions, row::extras,
};
using BufferObject = document::ObjectOf<BufferRow, buffer_table>;

inline constexpr double view_targets[] = {34962, 34963};
enum class BufferViewRow : std::uint8_t { buffer, byteOffset, byteLength, byteStride, target, name, extensions, extras, end };
inline constexpr row::Property buffer_view_table[] = {
    row::index("buffer", Reference::buffer, row::Need::required),
    row::offset("byteOffset"),
    row::size("byteLength", 1),
    {.name = "byteStride",
     .type = row::PropertyType::integer,
     .minimum = 4,
     .maximum = 252,
     .outside = row::Outside::keep,
     .multiple_of = 4},
    row::code("target", view_targets, row::Need::optional),
    row::name,
    row::extensions,
    row::extras,
};
using BufferViewObject = document::ObjectOf<BufferViewRow, buffer_view_table>;

inline constexpr double component_codes[] = {5120, 5121, 5122, 5123, 5125, 5126};
inline constexpr std::string_view accessor_types[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
enum class AccessorRow : std::uint8_t {
  bufferView,
  byteOffset,
  componentType,
  normalized,
  count,
  type,
  max,
  min,
  sparse,
  name,
  extensions,
  extras,
  end
};
inline constexpr row::Property accessor_table[] = {
    row::index("bufferView", Reference::buffer_view),
    row::offset("byteOffset"),
    row::code("componentType", component_codes, row::Need::required),
    row::boolean("normalized"),
    row::size("count", 1),
    row::choice("type", accessor_types, row::Need::required),
    row::list("max", row::PropertyType::number),
    row::list("min", row::PropertyType::number),
    row::value("sparse", row::PropertyType::object),
    row::name,
    row::extensions,
    row::extras,
};
using AccessorObject = document::ObjectOf<AccessorRow, accessor_table>;

enum class SparseRow : std::uint8_t { count, indices, values, extensions, extras, end };
inline constexpr row::Property sparse_table[] = {
    row::size("count", 1),
    row::value("indices", row::PropertyType::object, row::Need::required),
    row::value("values", row::PropertyType::object, row::Need::required),
    row::extensions,
    row::extras,
};
using SparseObject = document::ObjectOf<SparseRow, sparse_table>;

inline constexpr double index_codes[] = {5121, 5123, 5125};
enum class SparseIndicesRow : std::uint8_t { bufferView, byteOffset, componentType, extensions, extras, end };
inline constexpr row::Property sparse_indices_table[] = {
    row::index("bufferView", Reference::buffer_view, row::Need::required),
    row::offset("byteOffset"),
    row::code("componentType", index_codes, row::Need::required),
    row::extensions,
    row::extras,
};
using SparseIndicesObject = document::ObjectOf<SparseIndicesRow, sparse_indices_table>;

enum class SparseValuesRow : std::uint8_t { bufferView, byteOffset, extensions, extras, end };
inline constexpr row::Property sparse_values_table[] = {
    row::index("bufferView", Reference::buffer_view, row::Need::required),
    row::offset("byteOffset"),
    row::extensions,
    row::extras,
};
using SparseValuesObject = document::ObjectOf<SparseValuesRow, sparse_values_table>;

enum class MeshRow : std::uint8_t { primitives, weights, name, extensions, extras, end };
inline constexpr row::Property mesh_table[] = {
    row::list("primitives", row::PropertyType::object, row::Need::required),
    row::list("weights", row::PropertyType::number),
    row::name,
    row::extensions,
    row::extras,
};
using MeshObject = document::ObjectOf<MeshRow, mesh_table>;

enum class PrimitiveRow : std::uint8_t { attributes, indices, material, mode, targets, extensions, extras, end };
inline constexpr row::Property primitive_table[] = {
    row::value("attributes", row::PropertyType::object, row::Need::required),
    row::index("indices", Reference::accessor),
    row::hint("material", Reference::material),
    {.name = "mode", .type = row::PropertyType::integer, .minimum = 0, .maximum = 6, .outside = row::Outside::fallback, .fallback = 4},
    row::list("targets", row::PropertyType::object),
    row::extensions,
    row::extras,
};
using PrimitiveObject = document::ObjectOf<PrimitiveRow, primitive_table>;

enum class NodeRow : std::uint8_t {
  camera,
  children,
  skin,
  matrix,
  mesh,
  rotation,
  scale,
  translation,
  weights,
  name,
  extensions,
  extras,
  end
};
inline constexpr row::Property node_table[] = {
    row::hint("camera", Reference::camera),
    row::indices("children", Reference::node),
    row::index("skin", Reference::skin),
    row::numbers("matrix", 16),
    row::index("mesh", Reference::mesh),
    row::numbers("rotation", 4, 1),
    row::numbers("scale", 3),
    row::numbers("translation", 3),
    row::list("weights", row::PropertyType::number),
    row::name,
    row::extensions,
    row::extras,
};
using NodeObject = document::ObjectOf<NodeRow, node_table>;

enum class VisibilityRow : std::uint8_t { visible, extensions, extras, end };  // KHR_node_visibility
inline constexpr row::Property visibility_table[] = {row::boolean("visible", 1), row::extensions, row::extras};
using VisibilityObject = document::ObjectOf<VisibilityRow, visibility_table>;

enum class SceneRow : std::uint8_t { nodes, name, extensions, extras, end };
inline constexpr row::Property scene_table[] = {row::indices("nodes", Reference::node), row::name, row::extensions, row::extras};
using SceneObject = document::ObjectOf<SceneRow, scene_table>;

enum class SkinRow : std::uint8_t { inverseBindMatrices, skeleton, joints, name, extensions, extras, end };
inline constexpr row::Property skin_table[] = {
    row::index("inverseBindMatrices", Reference::accessor),
    row::hint("skeleton", Reference::node),
    row::indices("joints", Reference::node, row::Need::required),
    row::name,
    row::extensions,
    row::extras,
};
using SkinObject = document::ObjectOf<SkinRow, skin_table>;

enum class AnimationRow : std::uint8_t { channels, samplers, name, extensions, extras, end };
inline constexpr row::Property animation_table[] = {
    row::list("channels", row::PropertyType::object, row::Need::required),
    row::list("samplers", row::PropertyType::object, row::Need::required),
    row::name,
    row::extensions,
    row::extras,
};
using AnimationObject = document::ObjectOf<AnimationRow, animation_table>;

enum class ChannelRow : std::uint8_t { sampler, target, extensions, extras, end };
inline constexpr row::Property channel_table[] = {
    row::index("sampler", Reference::animation_sampler, row::Need::required),
    row::value("target", row::PropertyType::object, row::Need::required),
    row::extensions,
    row::extras,
};
using ChannelObject = document::ObjectOf<ChannelRow, channel_table>;

inline constexpr std::string_view channel_paths[] = {"translation", "rotation", "scale", "weights"};
enum class ChannelTargetRow : std::uint8_t { node, path, extensions, extras, end };
inline constexpr row::Property channel_target_table[] = {
    row::index("node", Reference::node),
    row::choice("path", channel_paths, row::Need::required),
    row::extensions,
    row::extras,
};
using ChannelTargetObject = document::ObjectOf<ChannelTargetRow, channel_target_table>;

inline constexpr std::string_view interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
enum class SamplerRow : std::uint8_t { input, interpolation, output, extensions, extras, end };
inline constexpr row::Property sampler_table[] = {
    row::index("input", Reference::accessor, row::Need::required),
    row::choice("interpolation", interpolations, row::Need::optional, 1),
    row::index("output", Reference::accessor, row::Need::required),
    row::extensions,
    row::extras,
};
using SamplerObject = document::ObjectOf<SamplerRow, sampler_table>;

}  // namespace sinew::gltf
