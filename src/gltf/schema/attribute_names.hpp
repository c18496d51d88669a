// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/json/json.hpp"
#include "gltf/schema/element_format.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

/// What an attribute's name says (glTF, Meshes).
struct AttributeName {
  enum class Role : std::uint8_t { attribute, joints, weights } role = Role::attribute;
  Semantic semantic = Semantic::custom;
  Index set = 0;
};
/// Nothing for names that are neither glTF's nor begin with an underscore.
[[nodiscard]] std::optional<AttributeName> parse_attribute_name(std::string_view name);

/// What accessors an attribute may have, in vertices and in morph targets. The formats are sets of component types.
struct AttributeRow {
  std::string_view name;  ///< of numbered ones what is before the number, with the underscore
  bool numbered;
  AttributeName is;
  std::uint8_t least_width, most_width;
  std::uint16_t formats;           ///< of vertices
  std::uint16_t quantized;         ///< of vertices, besides, with KHR_mesh_quantization
  std::uint16_t target_formats;    ///< of morph targets; 0: it cannot be moved
  std::uint16_t target_quantized;  ///< of morph targets, besides, with KHR_mesh_quantization

  /// Whether the values can be used at all, whatever glTF says of their type.
  [[nodiscard]] bool is_usable(const ElementFormat& format) const;
  /// Whether glTF allows the format.
  [[nodiscard]] bool allows(const ElementFormat& format, bool with_quantized) const;
  [[nodiscard]] bool allows_in_target(const ElementFormat& format, bool with_quantized) const;
  /// What is expected, for messages.
  [[nodiscard]] std::string expected() const;
};

/// The row whose name an attribute's name begins with; nullptr for custom ones.
[[nodiscard]] const AttributeRow* row_of_attribute(std::string_view name);

/// The attributes NAME_0, NAME_1, … of one kind.
struct NumberedNames {
  std::size_t count = 0;
  std::size_t end = 0;  ///< one past the largest number

  void add(Index number);
  /// How many sets there are; none where a number is left out.
  [[nodiscard]] std::size_t sets() const { return count == end ? count : 0; }
};
/// What the names of a primitive's attributes say together.
struct AttributeNames {
  bool position = false, normal = false, tangent = false;
  NumberedNames colors, texcoords, joints, weights;
  std::vector<document::JsonMember> unknown;

  /// Sets of influences; 0 where their numbers make no sense.
  [[nodiscard]] std::size_t influence_sets() const { return joints.sets() == weights.sets() ? joints.sets() : 0; }
};
[[nodiscard]] AttributeNames attribute_names(document::JsonValue attributes);

}  // namespace sinew::gltf
