// SPDX-License-Identifier: MIT
#include "gltf/schema/attribute_names.hpp"

#include <algorithm>

#include "base/message.hpp"
#include "base/number.hpp"

namespace sinew::gltf {

namespace {

using Role = AttributeName::Role;

// Component types as bits, for sets in table rows.
enum Format : std::uint16_t {
  real = 1,
  i8 = 2,
  u8 = 4,
  i16 = 8,
  u16 = 16,
  norm_i8 = 32,
  norm_u8 = 64,
  norm_i16 = 128,
  norm_u16 = 256,
};
constexpr std::uint16_t unsigned_parts = real | norm_u8 | norm_u16;  // for values between 0 and 1
constexpr std::uint16_t signed_parts = norm_i8 | norm_i16;
constexpr std::uint16_t any_parts = unsigned_parts | signed_parts;
constexpr std::uint16_t integers = i8 | u8 | i16 | u16;

constexpr AttributeRow rows[] = {
    {"POSITION", {Role::attribute, Semantic::position}, 3, 3, real, integers | any_parts, real, i8 | i16 | signed_parts},
    {"NORMAL", {Role::attribute, Semantic::normal}, 3, 3, real, signed_parts, real, signed_parts},
    {"TANGENT", {Role::attribute, Semantic::tangent}, 4, 4, real, signed_parts, real, signed_parts},
    {"TEXCOORD_", {Role::attribute, Semantic::texcoord}, 2, 2, unsigned_parts, integers | signed_parts, any_parts, i8 | i16},
    {"COLOR_", {Role::attribute, Semantic::color}, 3, 4, unsigned_parts, 0, any_parts, 0},
    {"JOINTS_", {Role::joints}, 4, 4, u8 | u16, 0, 0, 0},
    {"WEIGHTS_", {Role::weights}, 4, 4, unsigned_parts, 0, 0, 0},
};

std::uint16_t bit_of(const ElementFormat& format) {
  constexpr ComponentType types[] = {ComponentType::float32, ComponentType::int8, ComponentType::uint8, ComponentType::int16,
                                     ComponentType::uint16};  // in the order of Format, in which the normalized ones follow
  const auto place = std::ranges::find(types, format.component) - types;
  if (place == std::ssize(types)) return 0;
  return static_cast<std::uint16_t>(1u << (format.normalized && place > 0 ? place + 4 : place));
}

/// Returns nullptr for custom attributes.
const AttributeRow* row_of(Semantic semantic) {
  const auto* const row = std::ranges::find(rows, semantic, [](const AttributeRow& one) { return one.is.semantic; });
  return semantic == Semantic::custom ? nullptr : row;
}

bool has_width(const ElementFormat& format, std::size_t least, std::size_t most) {
  return format.columns == 1 && format.width() >= least && format.width() <= most;
}

}  // namespace

bool AttributeRow::is_usable(const ElementFormat& format) const {
  return format.width() >= least_width && format.width() <= most_width && (is.role != Role::joints || is_unsigned(format.component));
}

bool AttributeRow::allows(const ElementFormat& format, bool with_quantized) const {
  return has_width(format, least_width, most_width) && (bit_of(format) & (with_quantized ? formats | quantized : formats)) != 0;
}

// Offsets of tangents have three components, because blend shapes do not change w.
bool AttributeRow::allows_in_target(const ElementFormat& format, bool with_quantized) const {
  if (target_formats == 0) return true;
  const std::uint8_t most = is.semantic == Semantic::tangent ? std::uint8_t{3} : most_width;
  return has_width(format, std::min(least_width, most), most) &&
         (bit_of(format) & (with_quantized ? target_formats | target_quantized : target_formats)) != 0;
}

std::string AttributeRow::expected() const {
  std::string widths = format_text("{}", accessor_types[least_width - 1]);
  if (most_width != least_width) widths += format_text(" or {}", accessor_types[most_width - 1]);
  if (is.role == Role::joints) return widths + " of unsigned byte or unsigned short";
  if (quantized == signed_parts || formats == real) return widths + " of float";
  return widths + " of float, normalized unsigned byte or normalized unsigned short";
}

std::optional<AttributeName> parse_attribute_name(std::string_view name) {
  if (name.starts_with('_')) return AttributeName{};
  for (const AttributeRow& row : rows) {
    const bool numbered = row.name.ends_with('_');
    if (!numbered && name == row.name) return row.is;
    if (!numbered || !name.starts_with(row.name)) continue;
    const std::string_view digits = name.substr(row.name.size());
    AttributeName parsed = row.is;
    parsed.set = number_in<Index>(digits).value_or(none);
    if (parsed.set != none && (digits == "0" || digits.front() != '0')) return parsed;
  }
  return std::nullopt;
}

std::string attribute_name(const Attribute& attribute) {
  if (const AttributeRow* row = row_of(attribute.semantic))
    return row->name.ends_with('_') ? format_text("{}{}", row->name, attribute.set) : std::string(row->name);
  return attribute.custom.starts_with('_') ? attribute.custom : "_" + attribute.custom;
}

bool is_core_type(Semantic semantic, ComponentType type, bool normalized) {
  const AttributeRow* row = row_of(semantic);
  return row == nullptr || is_float(type) || (bit_of({.component = type, .normalized = normalized}) & row->formats) != 0;
}

// glTF does not allow "TEXCOORD_01", but the intended attribute is clear.
const AttributeRow* row_of_attribute(std::string_view name) {
  const std::string_view stem = name.substr(0, name.find('_'));
  for (const AttributeRow& row : rows)
    if (row.name.substr(0, row.name.find('_')) == stem) return &row;
  return nullptr;
}

void NumberedNames::add(Index number) {
  ++count;
  end = std::max<std::size_t>(end, std::size_t{number} + 1);
}

AttributeNames attribute_names(JsonValue attributes) {
  AttributeNames names;
  for (const JsonMember member : attributes.members()) {
    const auto name = parse_attribute_name(member.key.string());
    if (!name) {
      names.unknown.push_back(member);
      continue;
    }
    if (name->role == Role::joints) names.joints.add(name->set);
    if (name->role == Role::weights) names.weights.add(name->set);
    names.position |= name->semantic == Semantic::position;
    names.normal |= name->semantic == Semantic::normal;
    names.tangent |= name->semantic == Semantic::tangent;
    if (name->semantic == Semantic::color) names.colors.add(name->set);
    if (name->semantic == Semantic::texcoord) names.texcoords.add(name->set);
  }
  return names;
}

}  // namespace sinew::gltf
