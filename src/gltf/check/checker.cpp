// SPDX-License-Identifier: MIT
#include "gltf/check/checker.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "gltf/extensions/KHR_skeleton_bone.hpp"
#include "gltf/extensions/STAIK_skeletons.hpp"
#include "gltf/read/rig/bind_matrices.hpp"

namespace sinew::gltf {

namespace {

// Codes that only reading reports. Reading reports some other rules too, but only if they make something unusable; the checks report those.
constexpr std::string_view rules_of_reading[] = {
    "ANIMATION_DUPLICATE_TARGETS",
    "ASSET_MIN_VERSION_GREATER_THAN_VERSION",
    "BUFFER_BYTE_LENGTH_MISMATCH",
    "BUFFER_MISSING_GLB_DATA",
    "GLTF_BUFFER_WITHOUT_DATA",
    "GLTF_DRACO_COUNT",
    "GLTF_DRACO_INVALID",
    "GLTF_EXTENSION_IGNORED",
    "GLTF_MESHOPT_INVALID",
    "INVALID_URI",
    "IO_ERROR",
    "MESH_INVALID_WEIGHTS_COUNT",
    "MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT",
    "NODE_LOOP",
    "NODE_MATRIX_TRS",
    "NODE_PARENT_OVERRIDE",
    "NODE_SKINNED_MESH_WITHOUT_SKIN",
    "NODE_SKIN_NO_SCENE",
    "NODE_SKIN_WITH_NON_SKINNED_MESH",
    "NODE_WEIGHTS_INVALID",
    "PATTERN_MISMATCH",
    "SCENE_NON_ROOT_NODE",
    "SKIN_NO_COMMON_ROOT",
    "SKIN_SKELETON_INVALID",
    "UNKNOWN_ASSET_MAJOR_VERSION",
    "UNKNOWN_ASSET_MINOR_VERSION",
};

bool is_rule_of_reading(std::string_view code) {
  return code.starts_with("SINEW_") || code.starts_with("STAIK_") || std::ranges::binary_search(rules_of_reading, code);
}

// check_skins reports these.
bool is_about_bind_matrices(std::string_view code) {
  const Code codes[] = {skeleton_bind_codes.format, skeleton_bind_codes.count, skeleton_bind_codes.last_row};
  return std::ranges::any_of(codes, [&](Code row) { return row->code == code; });
}

// Returns whether a finding is about an extension object for which check_objects checks only that it is an object.
bool is_about_applied_extension(const Finding& finding) {
  const std::string_view pointer = finding.pointer, code = finding.code;
  constexpr std::string_view before = "/extensions/";
  for (std::size_t at = pointer.find(before); at != std::string_view::npos; at = pointer.find(before, at + 1)) {
    const std::string_view rest = pointer.substr(at + before.size()), name = rest.substr(0, rest.find('/'));
    const Extension* const extension = find_extension(name);
    if (extension == nullptr || !extension->applied_unchecked) continue;
    const bool is_type = code == khronos_codes.wrong_type->code || code == bone_codes.wrong_type->code;
    return extension->silent || !is_type || !pointer.ends_with(name);
  }
  return false;
}

// "/meshes/0/primitives/1"
std::string primitive_of(const std::string& pointer) { return pointer.substr(0, pointer.find("/attributes/")); }

}  // namespace

Checker::Checker(const Document& document, FindingSink& sink) : Reporter(document, sink), parsed_(document, found_) {}

const Finding* Checker::cut() const {
  const Finding* cut = document().cut();
  return cut != nullptr && cut->code != "GLB_LENGTH_MISMATCH" ? cut : nullptr;
}

const AccessorFacts* Checker::accessor(JsonValue index) const {
  const auto place = whole_number(index);
  return place && *place < accessors.size() && accessors[*place].known ? &accessors[*place] : nullptr;
}

std::optional<Array> Checker::array(const AccessorFacts& accessor) {
  const auto is_lost = [&](Index view) { return view != none && views[view].buffer != none && lost_buffers[views[view].buffer]; };
  const auto is_part_lost = [&](JsonValue part) { return is_lost(root().plain_index(part["bufferView"], Reference::buffer_view)); };
  const JsonValue sparse = accessor.sparse;
  if (!accessor.usable || is_lost(accessor.view) || (sparse && (is_part_lost(sparse["indices"]) || is_part_lost(sparse["values"]))))
    return std::nullopt;
  const auto& array = parsed_.accessors->array(index_of(accessor));
  return array ? std::optional(*array) : std::nullopt;
}

void Checker::report_reading() {
  for (const Finding& found : found_.list()) {
    if (cut() != nullptr && found.pointer.starts_with("/buffers/"))
      continue;  // the rest of the file is missing, so its data is not expected
    const bool joints = found.code == "ACCESSOR_JOINTS_INDEX_OOB" && !checked_influences.contains(primitive_of(found.pointer));
    const bool other = is_rule_of_reading(found.code) || is_about_applied_extension(found);
    if (joints || (other && !is_about_bind_matrices(found.code))) sink().add(found);
  }
  if (parsed_.reader.sink().full()) sink().drop();
}

double CheckedObject::number(std::string_view name) const {
  if ((*this)[name] || !value()[name]) return Object::number(row_of(name));
  return std::numeric_limits<double>::quiet_NaN();
}

Index CheckedObject::index(std::string_view name, const Checker& checker) const {
  return checker.root().plain_index((*this)[name], static_cast<Reference>(table()[row_of(name)].reference));
}

bool CheckedObject::knows(std::string_view name) const {
  return std::ranges::any_of(table(), [&](const Property& row) { return row.name == name; });
}

std::size_t CheckedObject::row_of(std::string_view name) const {
  const auto row = std::ranges::find(table(), name, &Property::name);
  assert(row != table().end());
  return static_cast<std::size_t>(row - table().begin());
}

}  // namespace sinew::gltf
