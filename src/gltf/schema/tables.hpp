// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/catalogue_gltf.hpp"
#include "document/schema/object.hpp"

namespace sinew::gltf {

using namespace document;  // whose values and tables this folder speaks of

// The properties of glTF's JSON objects (glTF 2.0, Properties Reference, and its JSON schemas), one table per object. Reader, checks and
// writers use these tables and select a row by the property's name.

/// The array that an index refers to: an array of the root object, or the samplers of the same animation.
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
  of_extension,  ///< a list in the root's extensions: Property::of_list
  count
};

/// How data is used, by the property that refers to it. An accessor and a buffer view may have only one use.
enum class Usage : std::uint8_t {
  nothing,
  sparse,
  image,
  vertex_attribute,
  primitive_indices,
  bind_matrices,
  animation_input,
  animation_output,
  mention,  ///< a reference that does not count as a use
  channels  ///< a reference to an animation whose channels are known by number
};

[[nodiscard]] constexpr std::string_view array_name(Reference reference) {
  constexpr std::string_view names[] = {"nothing",   "accessors", "animations", "samplers", "buffers", "bufferViews", "cameras",  "images",
                                        "materials", "meshes",    "nodes",      "samplers", "scenes",  "skins",       "textures", ""};
  static_assert(std::size(names) == static_cast<std::size_t>(Reference::count));
  return names[static_cast<std::size_t>(reference)];
}

/// The name of the array that a row's index refers to.
[[nodiscard]] constexpr std::string_view list_name(const Property& row) {
  return row.of_list.empty() ? array_name(static_cast<Reference>(row.reference)) : row.of_list.substr(row.of_list.rfind('/') + 1);
}

namespace row {  // short forms for the tables below

using Need = Property::Need;

constexpr Property value(std::string_view name, PropertyType type, Need need = Need::optional) {
  return {.name = name, .type = type, .need = need};
}
constexpr Property list(std::string_view name, PropertyType type, Need need = Need::optional) { return listed(value(name, type, need)); }
constexpr Property boolean(std::string_view name, double fallback = 0) {
  return {.name = name, .type = PropertyType::boolean, .fallback = fallback};
}
/// An object with a table, and a list of such objects.
constexpr Property object(std::string_view name, const Table& of, Need need = Need::optional) {
  return {.name = name, .type = PropertyType::object, .need = need, .of = &of};
}
constexpr Property objects(std::string_view name, const Table& of, Need need = Need::optional) { return listed(object(name, of, need)); }
/// An array of the root object. An element of the wrong type does not make the others unusable.
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
/// An index that no vertex depends on. A negative one counts as absent.
constexpr Property hint(std::string_view name, Reference to, Usage usage = Usage::nothing) {
  return with(index(name, to, Need::optional, usage), &Property::out_of_range, OutOfRange::fallback);
}
constexpr Property indices(std::string_view name, Reference to, Need need = Need::optional) {
  return listed(with(index(name, to, need), &Property::items, Property::Items::unique));
}
/// An index into a list of the root's extensions, and a list of such indices.
constexpr Property of_list(std::string_view name, std::string_view list, Need need = Need::optional) {
  return with(index(name, Reference::of_extension, need), &Property::of_list, list);
}
constexpr Property indices_of_list(std::string_view name, std::string_view list, Need need = Need::optional) {
  return with(indices(name, Reference::of_extension, need), &Property::of_list, list);
}
/// A JSON pointer into the file, or a list of them. Other values refer to nothing.
constexpr Property pointer(std::string_view name) { return {.name = name, .form = ReferenceForm::pointer}; }
/// The same property if values of other types refer to nothing.
constexpr Property loose(Property property) { return with(property, &Property::loose, true); }
/// The name of an element.
constexpr Property name_of(std::string_view name, Reference to) {
  return {.name = name, .type = PropertyType::string, .reference = static_cast<std::uint8_t>(to), .form = ReferenceForm::name};
}
/// The same property with another way of joining that of a second file.
constexpr Property joined(Joining joining, Property property) { return with(property, &Property::joining, joining); }
/// A list with one object for each element of the list that it refers to.
constexpr Property parallel(std::string_view name, Reference to, const Table& of) {
  return with(with(objects(name, of), &Property::reference, static_cast<std::uint8_t>(to)), &Property::form, ReferenceForm::parallel);
}
/// A count or size. The specification requires at least `minimum`, but less is harmless.
constexpr Property size(std::string_view name, double minimum, Need need = Need::required) {
  return {.name = name, .type = PropertyType::integer, .need = need, .minimum = minimum, .out_of_range = OutOfRange::keep};
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
          .out_of_range = OutOfRange::keep};
}
constexpr Property choice(std::string_view name, std::span<const std::string_view> words, Need need = Need::optional, double fallback = 0) {
  return {.name = name, .type = PropertyType::string, .need = need, .words = words, .fallback = fallback};
}
constexpr Property code(std::string_view name, std::span<const double> numbers, Need need, double fallback = 0) {
  return {.name = name, .type = PropertyType::integer, .need = need, .numbers = numbers, .fallback = fallback};
}
/// A number without effect on geometry. A value out of range counts as absent.
constexpr Property factor(std::string_view name, double fallback, double minimum = 0,
                          double maximum = std::numeric_limits<double>::infinity()) {
  return {.name = name,
          .type = PropertyType::number,
          .minimum = minimum,
          .maximum = maximum,
          .out_of_range = OutOfRange::fallback,
          .fallback = fallback};
}
constexpr Property fraction(std::string_view name, double fallback) { return factor(name, fallback, 0, 1); }
constexpr Property number(std::string_view name, double fallback) {
  return factor(name, fallback, -std::numeric_limits<double>::infinity());
}
constexpr Property required(Property property) { return with(property, &Property::need, Need::required); }
constexpr Property positive(std::string_view name, Need need = Need::optional) {
  return with(with(factor(name, std::numeric_limits<double>::quiet_NaN()), &Property::need, need), &Property::above, true);
}
constexpr Property colour(std::string_view name, std::uint32_t count, double maximum = 1) {
  return with(with(numbers(name, count), &Property::minimum, 0), &Property::maximum, maximum);
}
inline constexpr Property name = value("name", PropertyType::string);
inline constexpr Property extensions = value("extensions", PropertyType::object);
inline constexpr Property extras = value("extras", PropertyType::any);
inline constexpr Property common[] = {extensions, extras};
template <std::size_t count>
constexpr auto with_common(const Property (&rows)[count]) {
  return join_rows(rows, common);
}
/// Adds the common rows to a table.
template <std::size_t count>
struct TableOf : document::TableOf<count + std::size(common)> {
  constexpr TableOf(const Property (&own)[count], bool all_or_nothing = false)
      : document::TableOf<count + std::size(common)>(join_rows(own, common), all_or_nothing) {}
};
inline constexpr bool whole = true;  ///< Table::whole

}  // namespace row

inline constexpr row::TableOf asset_table{{
    row::value("copyright", PropertyType::string),
    row::value("generator", PropertyType::string),
    row::value("version", PropertyType::string, row::Need::required),
    row::value("minVersion", PropertyType::string),
}};
using AssetObject = ObjectOf<asset_table>;

inline constexpr row::TableOf buffer_table{{
    row::value("uri", PropertyType::uri),
    row::size("byteLength", 1),
    row::name,
}};
using BufferObject = ObjectOf<buffer_table>;

inline constexpr double view_targets[] = {34962, 34963};
inline constexpr row::TableOf buffer_view_table{{
    row::index("buffer", Reference::buffer, row::Need::required),
    row::offset("byteOffset"),
    row::size("byteLength", 1),
    {.name = "byteStride", .type = PropertyType::integer, .minimum = 4, .maximum = 252, .out_of_range = OutOfRange::keep, .multiple_of = 4},
    row::code("target", view_targets, row::Need::optional),
    row::name,
}};
using BufferViewObject = ObjectOf<buffer_view_table>;

inline constexpr double index_codes[] = {5121, 5123, 5125};
inline constexpr row::TableOf sparse_indices_table{{
    row::index("bufferView", Reference::buffer_view, row::Need::required, Usage::sparse),
    row::offset("byteOffset"),
    row::code("componentType", index_codes, row::Need::required),
}};
using SparseIndicesObject = ObjectOf<sparse_indices_table>;

inline constexpr row::TableOf sparse_values_table{{
    row::index("bufferView", Reference::buffer_view, row::Need::required, Usage::sparse),
    row::offset("byteOffset"),
}};
using SparseValuesObject = ObjectOf<sparse_values_table>;

inline constexpr row::TableOf sparse_table{{
                                               row::size("count", 1),
                                               row::object("indices", sparse_indices_table, row::Need::required),
                                               row::object("values", sparse_values_table, row::Need::required),
                                           },
                                           row::whole};
using SparseObject = ObjectOf<sparse_table>;

inline constexpr double component_codes[] = {5120, 5121, 5122, 5123, 5125, 5126};
inline constexpr std::string_view accessor_types[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
inline constexpr row::TableOf accessor_table{{
                                                 row::index("bufferView", Reference::buffer_view),
                                                 row::offset("byteOffset"),
                                                 row::code("componentType", component_codes, row::Need::required),
                                                 row::boolean("normalized"),
                                                 row::size("count", 1),
                                                 row::choice("type", accessor_types, row::Need::required),
                                                 row::value("max", PropertyType::any),  // depends on the component type
                                                 row::value("min", PropertyType::any),
                                                 row::object("sparse", sparse_table),
                                                 row::name,
                                             },
                                             row::whole};

inline constexpr double wide_component_codes[] = {5120, 5121, 5122, 5123, 5125, 5126, 5130, 5131};
/// The same with the component types of KHR_accessor_float64 and KHR_accessor_float16, and of glTF 2.1.
inline constexpr document::TableOf wide_accessor_table{[] {
                                                         auto rows = accessor_table.list;
                                                         for (Property& row : rows)
                                                           if (row.name == "componentType") row.numbers = wide_component_codes;
                                                         return rows;
                                                       }(),
                                                       row::whole};
using AccessorObject = ObjectOf<wide_accessor_table>;

/// An attribute of a primitive or a morph target, with any name.
inline constexpr Property attribute_row = row::index("", Reference::accessor, row::Need::optional, Usage::vertex_attribute);
inline constexpr Table attributes_table{.others = &attribute_row};

inline constexpr row::TableOf primitive_table{{
    row::object("attributes", attributes_table, row::Need::required),
    row::index("indices", Reference::accessor, row::Need::optional, Usage::primitive_indices),
    row::hint("material", Reference::material),
    {.name = "mode", .type = PropertyType::integer, .minimum = 0, .maximum = 6, .out_of_range = OutOfRange::fallback, .fallback = 4},
    row::objects("targets", attributes_table),
}};
using PrimitiveObject = ObjectOf<primitive_table>;

inline constexpr row::TableOf mesh_table{{
    row::objects("primitives", primitive_table, row::Need::required),
    row::list("weights", PropertyType::number),
    row::name,
}};
using MeshObject = ObjectOf<mesh_table>;

inline constexpr row::TableOf node_table{{
    row::hint("camera", Reference::camera),
    row::indices("children", Reference::node),
    row::index("skin", Reference::skin),
    row::numbers("matrix", 16),
    row::index("mesh", Reference::mesh),
    row::numbers("rotation", 4, 1),
    row::numbers("scale", 3),
    row::numbers("translation", 3),
    row::list("weights", PropertyType::number),
    row::name,
}};
using NodeObject = ObjectOf<node_table>;

inline constexpr row::TableOf scene_table{{
    row::indices("nodes", Reference::node),
    row::name,
}};
using SceneObject = ObjectOf<scene_table>;

inline constexpr row::TableOf skin_table{{
    row::index("inverseBindMatrices", Reference::accessor, row::Need::optional, Usage::bind_matrices),
    row::hint("skeleton", Reference::node, Usage::mention),
    row::indices("joints", Reference::node, row::Need::required),
    row::name,
}};
using SkinObject = ObjectOf<skin_table>;

inline constexpr std::string_view channel_paths[] = {"translation", "rotation", "scale", "weights"};
inline constexpr row::TableOf channel_target_table{{
    row::index("node", Reference::node),
    row::choice("path", channel_paths, row::Need::required),
}};
using ChannelTargetObject = ObjectOf<channel_target_table>;

inline constexpr row::TableOf channel_table{{
    row::index("sampler", Reference::animation_sampler, row::Need::required),
    row::object("target", channel_target_table, row::Need::required),
}};
using ChannelObject = ObjectOf<channel_table>;

inline constexpr std::string_view interpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
inline constexpr row::TableOf sampler_table{{
    row::index("input", Reference::accessor, row::Need::required, Usage::animation_input),
    row::choice("interpolation", interpolations, row::Need::optional, 1),
    row::index("output", Reference::accessor, row::Need::required, Usage::animation_output),
}};
using SamplerObject = ObjectOf<sampler_table>;

inline constexpr row::TableOf animation_table{{
                                                  row::objects("channels", channel_table, row::Need::required),
                                                  row::objects("samplers", sampler_table, row::Need::required),
                                                  row::name,
                                              },
                                              row::whole};
using AnimationObject = ObjectOf<animation_table>;

}  // namespace sinew::gltf
