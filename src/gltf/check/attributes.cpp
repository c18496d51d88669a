// SPDX-License-Identifier: MIT
#include "gltf/check/attributes.hpp"

#include <algorithm>

#include "gltf/check/values.hpp"

namespace sinew::gltf {

namespace {

// The attributes NAME_0, NAME_1, … of one kind.
struct Numbered {
  std::string_view name;
  std::size_t count = 0, end = 0;  // how many; one past the largest number

  void add(Index number) {
    ++count;
    end = std::max<std::size_t>(end, std::size_t{number} + 1);
  }
  // How many sets there are; none where a number is left out.
  [[nodiscard]] std::size_t check(Reading& reading, JsonValue attributes) const {
    if (count == end) return count;
    if (reading.checks() == Checks::all)
      reading.report<"MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY"_code>(attributes, name, end - 1, count);
    return 0;
  }
};

}  // namespace

AttributeNames check_attribute_names(Reading& reading, JsonValue attributes) {
  AttributeNames names;
  Numbered colors{"COLOR"}, texcoords{"TEXCOORD"}, joints{"JOINTS"}, weights{"WEIGHTS"};
  bool normal = false, tangent = false;
  for (const document::JsonMember member : attributes.members()) {
    const std::string key = member.key.string();
    const auto name = parse_attribute_name(key);
    if (!name) {
      reading.report<"MESH_PRIMITIVE_INVALID_ATTRIBUTE"_code>(member.value, key);
      continue;
    }
    if (name->role == AttributeName::Role::joints) joints.add(name->set);
    if (name->role == AttributeName::Role::weights) weights.add(name->set);
    if (name->role != AttributeName::Role::attribute) continue;
    names.position |= name->semantic == Semantic::position;
    normal |= name->semantic == Semantic::normal;
    tangent |= name->semantic == Semantic::tangent;
    if (name->semantic == Semantic::color) colors.add(name->set);
    if (name->semantic == Semantic::texcoord) texcoords.add(name->set);
  }
  if (!names.position) reading.report<"MESH_PRIMITIVE_NO_POSITION"_code>(attributes);
  if (tangent && !normal && reading.checks() == Checks::all)
    reading.report<"MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL"_code>(attributes["TANGENT"]);
  static_cast<void>(colors.check(reading, attributes));
  static_cast<void>(texcoords.check(reading, attributes));
  names.joint_sets = joints.check(reading, attributes);
  const std::size_t weight_sets = weights.check(reading, attributes);
  if (names.joint_sets != weight_sets) {
    reading.report<"MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH"_code>(attributes, joints.count, weights.count);
    names.joint_sets = 0;
  }
  return names;
}

AttributeChecks::AttributeChecks(Reading& reading) : reading_(reading) {
  for (const JsonValue name : reading.root()[RootRow::extensionsUsed].elements()) quantized_ |= name.equals("KHR_mesh_quantization");
}

void AttributeChecks::vertices(JsonValue at, std::string_view key, Index accessor, const AccessorFormat& format) {
  if (const AttributeRow* row = row_of_attribute(key)) {
    if (row->is_usable(format) && !row->allows(format, quantized_))  // what cannot be used the reader refuses
      reading_.report<"MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"_code>(at, format.text(), row->expected());
  } else if (format.component == ComponentType::uint32) {
    reading_.report<"MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT"_code>(at, format.text());
  }
  layout(at, accessor, format);
}

void AttributeChecks::target(JsonValue at, std::string_view key, Index accessor, const AccessorFormat& format) {
  const AttributeRow* row = row_of_attribute(key);
  if (row != nullptr && !row->allows_in_target(format, quantized_))
    reading_.report<"MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT"_code>(at, format.text(), row->expected());
  if (key == "POSITION" && !has_bounds(format)) reading_.report<"MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS"_code>(at);
  layout(at, accessor, format);
}

// Vertices lie at multiples of four bytes; attributes that share a view are interleaved, so it has a stride.
void AttributeChecks::layout(JsonValue at, Index accessor, const AccessorFormat& format) {
  const bool packed = format.view != none && !format.strided;
  if (format.offset % 4 != 0 || (packed && format.packed_size() % 4 != 0))
    reading_.report<"MESH_PRIMITIVE_ACCESSOR_UNALIGNED"_code>(at, format.offset, format.packed_size());
  if (!packed) return;
  std::set<Index>& sharers = sharers_[format.view];
  if (sharers.insert(accessor).second && sharers.size() > 1)
    reading_.report<"MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE"_code>(at, format.view);
}

void AttributeChecks::values(JsonValue at, std::string_view key, Index accessor, const AccessorFormat& format, const Array& values) {
  const AttributeRow* row = row_of_attribute(key);
  if (!format.has_data() || row == nullptr || !row->allows(format, quantized_)) return;
  const bool normals = key == "NORMAL", tangents = key == "TANGENT", colors = key == "COLOR_0" && is_float(format.component);
  if (!(normals || tangents || colors) || clean_.contains({accessor, row})) return;
  bool clean = colors ? check_clamped(reading_, at, values) : check_unit_vectors(reading_, at, values);
  if (tangents) clean &= check_signs(reading_, at, values);
  if (clean) clean_.emplace(accessor, row);
}

bool has_bounds(const AccessorFormat& format) {
  const auto complete = [&](JsonValue bound) {
    std::size_t numbers = 0;
    for (const JsonValue value : bound.elements()) numbers += value.is(JsonKind::number) ? 1 : 0;
    return numbers > 0 && numbers == bound.size() && numbers == format.width();
  };
  return complete(format.value["min"]) && complete(format.value["max"]);
}

}  // namespace sinew::gltf
