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

/// The parts of an attribute's name (glTF, Meshes).
struct AttributeName {
  enum class Role : std::uint8_t { attribute, joints, weights } role = Role::attribute;
  Semantic semantic = Semantic::custom;
  Index set = 0;
};
/// Returns nothing for a name that is not defined by glTF and does not begin with an underscore.
[[nodiscard]] std::optional<AttributeName> parse_attribute_name(std::string_view name);

/// The accessors that an attribute may have, in vertices and in morph targets. Formats are sets of component types.
struct AttributeRow {
  std::string_view name;  ///< numbered attributes: the part before the number, with the underscore
  AttributeName is;
  std::uint8_t least_width, most_width;
  std::uint16_t formats;           ///< of vertices
  std::uint16_t quantized;         ///< additional ones with KHR_mesh_quantization
  std::uint16_t target_formats;    ///< of morph targets; 0: not allowed in morph targets
  std::uint16_t target_quantized;  ///< of morph targets, additional ones with KHR_mesh_quantization

  /// Returns whether Sinew can use the values, even if glTF does not allow their type.
  [[nodiscard]] bool is_usable(const ElementFormat& format) const;
  [[nodiscard]] bool allows(const ElementFormat& format, bool with_quantized) const;
  [[nodiscard]] bool allows_in_target(const ElementFormat& format, bool with_quantized) const;
  /// Returns the expected formats, for messages.
  [[nodiscard]] std::string expected() const;
};

/// Returns the name of an attribute. That of a custom one begins with an underscore.
[[nodiscard]] std::string attribute_name(const Attribute& attribute);
/// Returns whether glTF without KHR_mesh_quantization allows a component type for vertices; float64 stands for float.
[[nodiscard]] bool is_core_type(Semantic semantic, ComponentType type, bool normalized);

/// Returns the row for an attribute's name, or nullptr for custom attributes.
[[nodiscard]] const AttributeRow* row_of_attribute(std::string_view name);

/// The attributes NAME_0, NAME_1, … of one kind.
struct NumberedNames {
  std::size_t count = 0;
  std::size_t end = 0;  ///< one past the largest number

  void add(Index number);
  /// Returns the number of sets; 0 if the numbers have a gap.
  [[nodiscard]] std::size_t sets() const { return count == end ? count : 0; }
};
struct AttributeNames {
  bool position = false, normal = false, tangent = false;
  NumberedNames colors, texcoords, joints, weights;
  std::vector<JsonMember> unknown;

  /// Returns the number of sets of influences; 0 if their numbers are inconsistent.
  [[nodiscard]] std::size_t influence_sets() const { return joints.sets() == weights.sets() ? joints.sets() : 0; }
};
[[nodiscard]] AttributeNames attribute_names(JsonValue attributes);

}  // namespace sinew::gltf
