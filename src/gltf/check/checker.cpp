// SPDX-License-Identifier: MIT
#include "gltf/check/checker.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "gltf/read/rig/bind_matrices.hpp"

namespace sinew::gltf {

Checker::Checker(const Document& document, FindingSink& sink)
    : Recorder(sink), Reporter(document, static_cast<Recorder&>(*this)), parsed_(document, found_), work_(most_work()), scans_(work_) {}

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

// Reading reports a rule at the place where a check reports it, if both do. It also reads what is broken already, and so finds more there;
// of these rules the checks judge all that can be judged.
void Checker::report_reading() {
  const Code judged[] = {"ACCESSOR_INDEX_OOB"_code, "ACCESSOR_TOO_LONG"_code, "MESH_PRIMITIVE_NO_POSITION"_code, skin_bind_codes.last_row,
                         skeleton_bind_codes.last_row};
  // The data of a file that ends too early is not expected.
  const Code data[] = {"BUFFER_BYTE_LENGTH_MISMATCH"_code, "BUFFER_MISSING_GLB_DATA"_code, "BUFFER_VIEW_TOO_LONG"_code,
                       "GLTF_BUFFER_WITHOUT_DATA"_code};
  for (const Finding& found : found_.list()) {
    const auto is = [&](Code code) { return code->code == found.code; };
    const bool missing = cut() != nullptr && (found.code == cut()->code || std::ranges::any_of(data, is));
    if (!missing && !has(found) && std::ranges::none_of(judged, is)) sink().add(found);
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
