// SPDX-License-Identifier: MIT
#include "gltf/read/ext/EXT_mesh_gpu_instancing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "gltf/extensions/EXT_mesh_gpu_instancing.hpp"

namespace sinew::gltf {

namespace {

/// The copies of one node.
class Copies {
 public:
  Copies(Reader& reader, Accessors& accessors, JsonValue value, Node& node)
      : reader_(reader), accessors_(accessors), value_(value), attributes_(value["attributes"]), node_(node) {}

  /// Returns nothing after a defect is reported.
  Checked<> read() {
    if (node_.mesh == none) reader_.report("GLTF_INSTANCING_NO_MESH"_code, value_);
    if (attributes_.size() == 0) reader_.report("GLTF_INSTANCING_EMPTY"_code, value_);
    std::optional<std::uint64_t> count;
    for (const JsonMember attribute : attributes_.members()) {
      const auto index = reader_.resolve(attribute.value, Reference::accessor);
      if (!index) return Refused(index.error());
      if (*index == none) continue;
      const auto& format = accessors_.format(*index);
      if (!format) return Refused(format.error());
      if (count && *count != format->count) return reader_.refuse("GLTF_INSTANCING_COUNT"_code, attribute.value, format->count, *count);
      count = format->count;
    }
    if (!count || node_.mesh == none) return {};
    if (auto taken = reader_.take(value_, *count, sizeof(Affine) + rows_per_copy * sizeof(double)); !taken) return taken;
    const auto translations = numbers("TRANSLATION", 3), rotations = numbers("ROTATION", 4), scales = numbers("SCALE", 3);
    for (const auto* part : {&translations, &rotations, &scales})
      if (!*part) return Refused(part->error());
    if (!rotations->empty()) check_rotations(*rotations);
    if (std::ranges::find(*scales, 0.0) != scales->end())
      reader_.report("GLTF_INSTANCING_ZERO_SCALE"_code, attributes_["SCALE"], (std::ranges::find(*scales, 0.0) - scales->begin()) / 3);
    if (node_.skin != none)
      reader_.report("GLTF_INSTANCED_SKIN"_code, JsonValue(*value_.json(), static_cast<std::uint32_t>(node_.source)), *count);
    node_.copies.reserve(*count);
    LocalTransform local;
    const auto part_of = [](auto& part, const std::vector<double>& rows, std::size_t copy) {
      if (!rows.empty()) part.assign(std::span(rows).subspan(copy * 3, 3));
    };
    for (std::size_t copy = 0; copy < *count; ++copy) {
      part_of(local.translation, *translations, copy);
      part_of(local.scale, *scales, copy);
      if (!rotations->empty()) local.rotor.assign(rotor_from_quaternion(std::span(*rotations).subspan(copy * 4).first<4>()));
      node_.copies.push_back(affine_of(3, local));
    }
    return {};
  }

 private:
  static constexpr std::size_t rows_per_copy = 10;

  /// Returns the rows of an attribute; none if it is absent.
  Checked<std::vector<double>> numbers(std::string_view name, std::size_t width) {
    const JsonValue at = attributes_[name];
    const auto index = reader_.resolve(at, Reference::accessor);
    if (!index || *index == none) return std::vector<double>();
    const AccessorFormat& format = *accessors_.format(*index);
    const std::string_view expected = width == 4 ? "VEC4 of float, or of normalized byte or short" : "VEC3 of float";
    if (format.width() != width) return reader_.refuse("GLTF_INSTANCING_TYPE"_code, at, format.text(), name, expected);
    const bool small_rotation =
        width == 4 && format.normalized && (format.component == ComponentType::int8 || format.component == ComponentType::int16);
    if (!is_float(format.component) && !small_rotation) reader_.report("GLTF_INSTANCING_TYPE"_code, at, format.text(), name, expected);
    const auto& rows = accessors_.array(*index);
    if (!rows) return Refused(rows.error());
    std::vector<double> all = rows->read<double>();
    const auto broken = std::ranges::find_if_not(all, [](double x) { return std::isfinite(x); });
    if (broken != all.end())
      return reader_.refuse("ACCESSOR_INVALID_FLOAT"_code, format.value, static_cast<std::size_t>(broken - all.begin()) / width);
    return all;
  }

  void check_rotations(const std::vector<double>& rows) {
    for (std::size_t at = 0; at < rows.size(); at += 4) {
      const double length = std::hypot(std::hypot(rows[at], rows[at + 1]), std::hypot(rows[at + 2], rows[at + 3]));
      constexpr double tolerance = 0.01;  // that of bytes
      if (std::abs(length - 1) <= tolerance) continue;
      reader_.report("GLTF_INSTANCING_ROTATION"_code, attributes_["ROTATION"], at / 4, length);
      return;
    }
  }

  Reader& reader_;
  Accessors& accessors_;
  JsonValue value_, attributes_;
  Node& node_;
};

}  // namespace

void read_copies(Reader& reader, Accessors& accessors) {
  if (!reader.root().uses_extension(instancing_extension)) return;
  bool asked = false;
  for (Node& node : reader.model().nodes) {
    const JsonValue value =
        JsonValue(reader.document().json(), static_cast<std::uint32_t>(node.source))["extensions"][instancing_extension];
    if (!value.is(JsonKind::object)) continue;
    if (!std::exchange(asked, true) &&
        std::ranges::find(reader.model().extensions_required, instancing_extension) == reader.model().extensions_required.end())
      reader.report("GLTF_INSTANCING_OPTIONAL"_code, value);
    if (auto read = Copies(reader, accessors, value, node).read(); !read) Reader::mark(node, read.error());
  }
}

}  // namespace sinew::gltf
