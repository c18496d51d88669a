// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/catalogue_g4mf.hpp"
#include "document/schema/object.hpp"

namespace sinew::g4mf {

using namespace document;  // whose values and tables this folder speaks of

// Functions for writing the tables of properties (tables.hpp).

/// The array of the root object that an index refers to.
enum class Reference : std::uint8_t {
  nothing,
  accessor,
  buffer,
  buffer_view,
  file,
  light,
  material,
  mesh,
  model,
  node,
  shape,
  texture,
  count
};

[[nodiscard]] constexpr std::string_view array_name(Reference reference) {
  constexpr std::string_view names[] = {"nothing",   "accessors", "buffers", "bufferViews", "files",  "lights",
                                        "materials", "meshes",    "models",  "nodes",       "shapes", "textures"};
  static_assert(std::size(names) == static_cast<std::size_t>(Reference::count));
  return names[static_cast<std::size_t>(reference)];
}

inline constexpr ObjectCodes codes = {
    .missing = "G4MF_REQUIRED_PROPERTY_MISSING"_code,
    .unknown = "G4MF_JSON_UNKNOWN_PROPERTY"_code,
    .wrong_type = "G4MF_JSON_TYPE_MISMATCH"_code,
    .wrong_element = "G4MF_JSON_TYPE_MISMATCH"_code,
    .wrong_index = "G4MF_ID_NOT_INTEGER"_code,
    .wrong_listed_index = "G4MF_ID_NOT_INTEGER"_code,
    .negative_index = "G4MF_ID_NEGATIVE"_code,
    .placeholder = "G4MF_ID_PLACEHOLDER_NOT_ALLOWED"_code,
    .range = "G4MF_JSON_TYPE_MISMATCH"_code,
    .multiple = "G4MF_JSON_TYPE_MISMATCH"_code,
    .choice = "G4MF_JSON_TYPE_MISMATCH"_code,
    .empty = "G4MF_JSON_TYPE_MISMATCH"_code,
    .length = "G4MF_JSON_TYPE_MISMATCH"_code,
    .duplicate = "G4MF_JSON_TYPE_MISMATCH"_code,
};

namespace row {  // short forms for the tables below

// Revisions as bits of Property::revisions.
inline constexpr std::uint8_t first = 1, second = 2, third = 4;

constexpr Property value(std::string_view name, PropertyType type) { return {.name = name, .type = type}; }
constexpr Property list(std::string_view name, PropertyType type) {
  return {.name = name, .type = type, .shape = Property::Shape::list, .least = 0};
}
constexpr Property text(std::string_view name) { return value(name, PropertyType::string); }
constexpr Property boolean(std::string_view name, double fallback = 0) {
  return {.name = name, .type = PropertyType::boolean, .fallback = fallback};
}
constexpr Property numbers(std::string_view name) { return list(name, PropertyType::number); }
constexpr Property index(std::string_view name, Reference to, Code unresolved = "G4MF_ID_OUT_OF_RANGE"_code) {
  return {.name = name, .type = PropertyType::index, .reference = static_cast<std::uint8_t>(to), .unresolved = unresolved};
}
constexpr Property indices(std::string_view name, Reference to, Code unresolved = "G4MF_ID_OUT_OF_RANGE"_code) {
  return listed(with(index(name, to, unresolved), &Property::least, 0));
}
constexpr Property object(std::string_view name, const Table& of) { return {.name = name, .type = PropertyType::object, .of = &of}; }
constexpr Property objects(std::string_view name, const Table& of) { return listed(with(object(name, of), &Property::least, 0)); }
constexpr Property array(std::string_view name, const Table* of = nullptr) {
  return with(list(name, PropertyType::any), &Property::of, of);
}
constexpr Property whole(std::string_view name, double fallback = 0) {
  return {.name = name, .type = PropertyType::integer, .minimum = 0, .fallback = fallback};
}

constexpr Property positive(std::string_view name) {
  return {.name = name, .type = PropertyType::number, .minimum = std::numeric_limits<double>::denorm_min()};
}
constexpr Property from_zero(std::string_view name) { return {.name = name, .type = PropertyType::number, .minimum = 0}; }
constexpr Property one_of(std::string_view name, std::span<const std::string_view> words) {
  return {.name = name, .type = PropertyType::string, .words = words};
}

// Additional attributes of a property.
constexpr Property required(Property property, Code missing = "G4MF_REQUIRED_PROPERTY_MISSING"_code) {
  return with(with(property, &Property::need, Property::Need::required), &Property::missing, missing);
}
constexpr Property ignorable(Property property) {  // an index or number out of range counts as absent
  return with(property, &Property::out_of_range, OutOfRange::fallback);
}
constexpr Property in(Property property, int revisions) {
  return with(property, &Property::revisions, static_cast<std::uint8_t>(revisions));
}
constexpr Property was(Property property, std::string_view old_name, int old_revisions, int revisions) {
  property.old_name = old_name;
  property.old_revisions = static_cast<std::uint8_t>(old_revisions);
  return in(property, revisions);
}
constexpr Property typed(Property property, Code wrong_type) { return with(property, &Property::wrong_type, wrong_type); }
constexpr Property ranged(Property property, Code range) { return with(property, &Property::range, range); }
constexpr Property ranged(Property property, double maximum) { return with(property, &Property::maximum, maximum); }
constexpr Property at_least(std::uint32_t least, Property property) { return with(property, &Property::least, least); }
constexpr Property unique(Property property) { return with(property, &Property::items, Property::Items::unique); }
constexpr Property to(Property property, Reference reference) {  // for a reference that the reader resolves with its own code
  return with(property, &Property::reference, static_cast<std::uint8_t>(reference));
}
constexpr Property filled(Property property, Code empty) { return with(property, &Property::empty, empty); }  // reports an empty list

inline constexpr Property comment = text("comment");
inline constexpr Property name = text("name");
inline constexpr Property extensions = value("extensions", PropertyType::object);
inline constexpr Property extras = typed(value("extras", PropertyType::object), "G4MF_EXTRAS_NOT_OBJECT"_code);
inline constexpr Property common[] = {comment, name, extensions, extras};
/// Adds the common rows to a table.
template <std::size_t count>
struct TableOf : document::TableOf<count + std::size(common)> {
  constexpr TableOf(const Property (&own)[count]) : document::TableOf<count + std::size(common)>(join_rows(own, common)) {}
};

}  // namespace row

template <const auto& table>
using Item = ObjectOf<table, codes>;

}  // namespace sinew::g4mf
