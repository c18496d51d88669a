// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/catalogue_gltf.hpp"
#include "document/schema/object.hpp"

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
  light,     ///< of KHR_lights_punctual
  skeleton,  ///< of STAIK_skeletons
  variant,   ///< of KHR_materials_variants
  count
};

/// What data is used for, by what refers to it: one accessor and one buffer view are for one use.
enum class Usage : std::uint8_t {
  nothing,
  sparse,
  image,
  vertex_attribute,
  primitive_indices,
  bind_matrices,
  animation_input,
  animation_output,
  mention  ///< none: being named is not being used
};

/// The name of the array that a reference points into, for messages.
[[nodiscard]] constexpr std::string_view array_name(Reference reference) {
  constexpr std::string_view names[] = {"nothing", "accessors", "animations", "samplers", "buffers",   "bufferViews",
                                        "cameras", "images",    "materials",  "meshes",   "nodes",     "samplers",
                                        "scenes",  "skins",     "textures",   "lights",   "skeletons", "variants"};
  static_assert(std::size(names) == static_cast<std::size_t>(Reference::count));
  return names[static_cast<std::size_t>(reference)];
}

namespace row {  // short forms for the tables below

using document::Outside;
using document::Property;
using document::PropertyType;
using document::Table;
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
/// An object with properties of its own, and a list of such objects.
constexpr Property object(std::string_view name, const Table& of, Need need = Need::optional) {
  return {.name = name, .type = PropertyType::object, .need = need, .of = &of};
}
constexpr Property objects(std::string_view name, const Table& of, Need need = Need::optional) {
  return {.name = name, .type = PropertyType::object, .need = need, .shape = Property::Shape::list, .of = &of};
}
/// An array of the root object. An element of the wrong type is a problem of its own: the others are there all the same.
constexpr Property elements(std::string_view name, const Table& of) { return {.name = name, .shape = Property::Shape::list, .of = &of}; }
constexpr Property names(std::string_view name) {
  return {.name = name, .type = PropertyType::string, .shape = Property::Shape::list, .items = Property::Items::unique};
}
constexpr Property index(std::string_view name, Reference to, Need need = Need::optional, Usage usage = Usage::nothing) {
  return {.name = name,
          .type = PropertyType::index,
          .need = need,
          .reference = static_cast<std::uint8_t>(to),
          .usage = static_cast<std::uint8_t>(usage)};
}
/// An index that no vertex depends on: a negative one counts as absent.
constexpr Property hint(std::string_view name, Reference to, Usage usage = Usage::nothing) {
  return {.name = name,
          .type = PropertyType::index,
          .outside = Outside::fallback,
          .reference = static_cast<std::uint8_t>(to),
          .usage = static_cast<std::uint8_t>(usage)};
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
/// A number that has no effect on geometry: what its range excludes counts as absent.
constexpr Property factor(std::string_view name, double fallback, double minimum = 0,
                          double maximum = std::numeric_limits<double>::infinity()) {
  return {.name = name,
          .type = PropertyType::number,
          .minimum = minimum,
          .maximum = maximum,
          .outside = Outside::fallback,
          .fallback = fallback};
}
constexpr Property fraction(std::string_view name, double fallback) { return factor(name, fallback, 0, 1); }
constexpr Property number(std::string_view name, double fallback) {
  return factor(name, fallback, -std::numeric_limits<double>::infinity());
}
constexpr Property positive(std::string_view name, Need need = Need::optional) {
  Property property = factor(name, std::numeric_limits<double>::quiet_NaN());
  property.need = need;
  property.above = true;
  return property;
}
constexpr Property required(Property property) {
  property.need = Need::required;
  return property;
}
constexpr Property colour(std::string_view name, std::uint32_t count, double maximum = 1) {
  Property property = numbers(name, count);
  property.minimum = 0;
  property.maximum = maximum;
  return property;
}
inline constexpr Property name = value("name", PropertyType::string);
inline constexpr Property extensions = value("extensions", PropertyType::object);
inline constexpr Property extras = value("extras", PropertyType::any);
inline constexpr Property common[] = {extensions, extras};
template <std::size_t count>
constexpr auto with_common(const Property (&rows)[count]) {
  return document::join_rows(rows, common);
}

}  // namespace row

enum class AssetRow : std::uint8_t { copyright, generator, version, minVersion, extensions, extras, end };
inline constexpr auto asset_rows = row::with_common({
    row::value("copyright", row::PropertyType::string),
    row::value("generator", row::PropertyType::string),
    row::value("version", row::PropertyType::string, row::Need::required),
    row::value("minVersion", row::PropertyType::string),
});
inline constexpr row::Table asset_table{asset_rows};
using AssetObject = document::ObjectOf<AssetRow, asset_rows>;

enum class BufferRow : std::uint8_t { uri, byteLength, name, extensions, extras, end };
inline constexpr auto buffer_rows = row::with_common({
    row::value("uri", row::PropertyType::uri),
    row::size("byteLength", 1),
    row::name,
});
inline constexpr row::Table buffer_table{buffer_rows};
using BufferObject = document::ObjectOf<BufferRow, buffer_rows>;

inline constexpr double view_targets[] = {34962, 34963};
enum class BufferViewRow : std::uint8_t { buffer, byteOffset, byteLength, byteStride, target, name, extensions, extras, end };
inline constexpr auto buffer_view_rows = row::with_common({
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
});
inline constexpr row::Table buffer_view_table{buffer_view_rows};
using BufferViewObject = document::ObjectOf<BufferViewRow, buffer_view_rows>;

inline constexpr double index_codes[] = {5121, 5123, 5125};
enum class SparseIndicesRow : std::uint8_t { bufferView, byteOffset, componentType, extensions, extras, end };
inline constexpr auto sparse_indices_rows = row::with_common({
    row::index("bufferView", Reference::buffer_view, row::Need::required, Usage::sparse),
    row::offset("byteOffset"),
    row::code("componentType", index_codes, row::Need::required),
});
inline constexpr row::Table sparse_indices_table{sparse_indices_rows};
using SparseIndicesObject = document::ObjectOf<SparseIndicesRow, sparse_indices_rows>;

enum class SparseValuesRow : std::uint8_t { bufferView, byteOffset, extensions, extras, end };
inline constexpr auto sparse_values_rows = row::with_common({
    row::index("bufferView", Reference::buffer_view, row::Need::required, Usage::sparse),
    row::offset("byteOffset"),
});
inline constexpr row::Table sparse_values_table{sparse_values_rows};
using SparseValuesObject = document::ObjectOf<SparseValuesRow, sparse_values_rows>;

enum class SparseRow : std::uint8_t { count, indices, values, extensions, extras, end };
inline constexpr auto sparse_rows = row::with_common({
    row::size("count", 1),
    row::object("indices", sparse_indices_table, row::Need::required),
    row::object("values", sparse_values_table, row::Need::required),
});
inline constexpr row::Table sparse_table{.rows = sparse_rows, .whole = true};
using SparseObject = document::ObjectOf<SparseRow, sparse_rows>;

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
inline constexpr auto accessor_rows = row::with_common({
    row::index("bufferView", Reference::buffer_view),
    row::offset("byteOffset"),
    row::code("componentType", component_codes, row::Need::required),
    row::boolean("normalized"),
    row::size("count", 1),
    row::choice("type", accessor_types, row::Need::required),
    row::value("max", row::PropertyType::any),  // by the component type
    row::value("min", row::PropertyType::any),
    row::object("sparse", sparse_table),
    row::name,
});
inline constexpr row::Table accessor_table{.rows = accessor_rows, .whole = true};
using AccessorObject = document::ObjectOf<AccessorRow, accessor_rows>;

/// Attributes by name, of a primitive or a morph target.
inline constexpr row::Property attribute_row = row::index("", Reference::accessor, row::Need::optional, Usage::vertex_attribute);
inline constexpr row::Table attributes_table{.others = &attribute_row};

enum class PrimitiveRow : std::uint8_t { attributes, indices, material, mode, targets, extensions, extras, end };
inline constexpr auto primitive_rows = row::with_common({
    row::object("attributes", attributes_table, row::Need::required),
    row::index("indices", Reference::accessor, row::Need::optional, Usage::primitive_indices),
    row::hint("material", Reference::material),
    {.name = "mode", .type = row::PropertyType::integer, .minimum = 0, .maximum = 6, .outside = row::Outside::fallback, .fallback = 4},
    row::objects("targets", attributes_table),
});
inline constexpr row::Table primitive_table{primitive_rows};
using PrimitiveObject = document::ObjectOf<PrimitiveRow, primitive_rows>;

enum class MeshRow : std::uint8_t { primitives, weights, name, extensions, extras, end };
inline constexpr auto mesh_rows = row::with_common({
    row::objects("primitives", primitive_table, row::Need::required),
    row::list("weights", row::PropertyType::number),
    row::name,
});
inline constexpr row::Table mesh_table{mesh_rows};
using MeshObject = document::ObjectOf<MeshRow, mesh_rows>;

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
inline constexpr auto node_rows = row::with_common({
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
});
inline constexpr row::Table node_table{node_rows};
using NodeObject = document::ObjectOf<NodeRow, node_rows>;

enum class VisibilityRow : std::uint8_t { visible, extensions, extras, end };  // KHR_node_visibility
inline constexpr auto visibility_rows = row::with_common({
    row::boolean("visible", 1),
});
inline constexpr row::Table visibility_table{visibility_rows};
using VisibilityObject = document::ObjectOf<VisibilityRow, visibility_rows>;

enum class SceneRow : std::uint8_t { nodes, name, extensions, extras, end };
inline constexpr auto scene_rows = row::with_common({
    row::indices("nodes", Reference::node),
    row::name,
});
inline constexpr row::Table scene_table{scene_rows};
using SceneObject = document::ObjectOf<SceneRow, scene_rows>;

enum class SkinRow : std::uint8_t { inverseBindMatrices, skeleton, joints, name, extensions, extras, end };
inline constexpr auto skin_rows = row::with_common({
    row::index("inverseBindMatrices", Reference::accessor, row::Need::optional, Usage::bind_matrices),
    row::hint("skeleton", Reference::node, Usage::mention),
    row::indices("joints", Reference::node, row::Need::required),
    row::name,
});
inline constexpr row::Table skin_table{skin_rows};
using SkinObject = document::ObjectOf<SkinRow, skin_rows>;

inline constexpr std::string_view channel_paths[] = {"translation", "rotation", "scale", "weights"};
enum class ChannelTargetRow : std::uint8_t { node, path, extensions, extras, end };
inline constexpr auto channel_target_rows = row::with_common({
    row::index("node", Reference::node),
    row::choice("path", channel_paths, row::Need::required),
});
inline constexpr row::Table channel_target_table{channel_target_rows};
using ChannelTargetObject = document::ObjectOf<ChannelTargetRow, channel_target_rows>;

enum class ChannelRow : std::uint8_t { sampler, target, extensions, extras, end };
inline constexpr auto channel_rows = row::with_common({
    row::index("sampler", Reference::animation_sampler, row::Need::required),
    row::object("target", channel_target_table, row::Need::required),
});
inline constexpr row::Table channel_table{channel_rows};
using ChannelObject = document::ObjectOf<ChannelRow, channel_rows>;

inline constexpr std::string_view interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
enum class SamplerRow : std::uint8_t { input, interpolation, output, extensions, extras, end };
inline constexpr auto sampler_rows = row::with_common({
    row::index("input", Reference::accessor, row::Need::required, Usage::animation_input),
    row::choice("interpolation", interpolations, row::Need::optional, 1),
    row::index("output", Reference::accessor, row::Need::required, Usage::animation_output),
});
inline constexpr row::Table sampler_table{sampler_rows};
using SamplerObject = document::ObjectOf<SamplerRow, sampler_rows>;

enum class AnimationRow : std::uint8_t { channels, samplers, name, extensions, extras, end };
inline constexpr auto animation_rows = row::with_common({
    row::objects("channels", channel_table, row::Need::required),
    row::objects("samplers", sampler_table, row::Need::required),
    row::name,
});
inline constexpr row::Table animation_table{.rows = animation_rows, .whole = true};
using AnimationObject = document::ObjectOf<AnimationRow, animation_rows>;

}  // namespace sinew::gltf
