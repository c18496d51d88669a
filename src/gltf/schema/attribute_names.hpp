// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gltf/read/accessors.hpp"

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
  [[nodiscard]] bool is_usable(const AccessorFormat& format) const;
  /// Whether glTF allows the format.
  [[nodiscard]] bool allows(const AccessorFormat& format, bool with_quantized) const;
  [[nodiscard]] bool allows_in_target(const AccessorFormat& format, bool with_quantized) const;
  /// What is expected, for messages.
  [[nodiscard]] std::string expected() const;
};

/// The row whose name an attribute's name begins with; nullptr for custom ones.
[[nodiscard]] const AttributeRow* row_of_attribute(std::string_view name);

}  // namespace sinew::gltf
