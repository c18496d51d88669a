// SPDX-License-Identifier: MIT
#include "gltf/check/attributes.hpp"

#include "gltf/check/values.hpp"

namespace sinew::gltf {

AttributeNames check_attribute_names(Checker& checker, JsonValue attributes) {
  AttributeNames names = attribute_names(attributes);
  for (const JsonMember& member : names.unknown) checker.report<"MESH_PRIMITIVE_INVALID_ATTRIBUTE"_code>(member.value, member.key.string());
  if (!names.position) checker.report<"MESH_PRIMITIVE_NO_POSITION"_code>(attributes);
  if (names.tangent && !names.normal) checker.report<"MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL"_code>(attributes["TANGENT"]);
  const std::pair<std::string_view, NumberedNames> kinds[] = {
      {"COLOR", names.colors}, {"TEXCOORD", names.texcoords}, {"JOINTS", names.joints}, {"WEIGHTS", names.weights}};
  for (const auto& [name, kind] : kinds)
    if (kind.count != kind.end)
      checker.report<"MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY"_code>(attributes, name, kind.end - 1, kind.count);
  if (names.joints.sets() != names.weights.sets())
    checker.report<"MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH"_code>(attributes, names.joints.count, names.weights.count);
  return names;
}

void AttributeChecks::report_format(JsonValue at, const ElementFormat& format, const std::string& expected) {
  checker_.report<"MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"_code>(at, format.text(), expected);
}

bool AttributeChecks::vertices(JsonValue at, std::string_view key, const AccessorFacts& accessor) {
  const AttributeRow* row = row_of_attribute(key);
  if (row != nullptr && !row->allows(accessor, quantized_)) report_format(at, accessor, row->expected());
  if (row == nullptr && accessor.component == ComponentType::uint32)
    checker_.report<"MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT"_code>(at, accessor.text());
  if (key == "POSITION" && !accessor.has_bounds()) checker_.report<"MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS"_code>(at);
  layout(at, accessor);
  return row == nullptr || row->is_usable(accessor);
}

// Offsets of tangents have three components, because blend shapes do not change w.
void AttributeChecks::target(JsonValue at, std::string_view key, const AccessorFacts& accessor, std::size_t width) {
  const AttributeRow* row = row_of_attribute(key);
  const std::size_t moved = key == "TANGENT" && width != 0 ? 3 : width;
  if (row != nullptr && !row->allows_in_target(accessor, quantized_))
    report_format(at, accessor, row->expected());
  else if (moved != 0 && accessor.width() != moved)
    report_format(at, accessor, fmt::format("{} components", moved));
  if (key == "POSITION" && !accessor.has_bounds()) checker_.report<"MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS"_code>(at);
  layout(at, accessor);
}

// Vertices must start at multiples of four bytes. Attributes that share a view are interleaved, so the view needs a stride.
void AttributeChecks::layout(JsonValue at, const AccessorFacts& accessor) {
  const bool packed = accessor.view != none && !accessor.strided;
  if (accessor.offset % 4 != 0 || (packed && accessor.packed_size() % 4 != 0))
    checker_.report<"MESH_PRIMITIVE_ACCESSOR_UNALIGNED"_code>(at, accessor.offset, accessor.packed_size());
  if (!packed) return;
  std::set<Index>& sharers = sharers_[accessor.view];
  if (sharers.insert(checker_.index_of(accessor)).second && sharers.size() > 1)
    checker_.report<"MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE"_code>(at, accessor.view);
}

void AttributeChecks::values(JsonValue at, std::string_view key, const AccessorFacts& accessor, const Array& values) {
  const AttributeRow* row = row_of_attribute(key);
  if (!accessor.has_data() || row == nullptr || !row->allows(accessor, quantized_)) return;
  const bool normals = key == "NORMAL", tangents = key == "TANGENT", colors = key == "COLOR_0" && is_float(accessor.component);
  const std::pair<Index, const void*> known(checker_.index_of(accessor), row);
  if (!(normals || tangents || colors) || clean_.contains(known)) return;
  bool clean = colors ? check_clamped(checker_, at, values) : check_unit_vectors(checker_, at, values);
  if (tangents) clean &= check_signs(checker_, at, values);
  if (clean) clean_.insert(known);
}

}  // namespace sinew::gltf
