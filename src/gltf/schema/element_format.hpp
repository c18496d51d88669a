// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "gltf/schema/tables.hpp"

#include "sinew/array.hpp"

namespace sinew::gltf {

struct ElementFormat {
  std::uint8_t type = 0;  ///< index in accessor_types
  std::uint8_t rows = 1;  ///< components of a column (of the whole element if it is no matrix); 0: type or component type is unknown
  std::uint8_t columns = 1;
  ComponentType component = ComponentType::float32;
  bool normalized = false;

  [[nodiscard]] std::size_t width() const { return std::size_t{rows} * columns; }  ///< 0: unknown
  /// Returns the bytes of an element without padding.
  [[nodiscard]] std::size_t packed_size() const { return width() * byte_size(component); }
  /// Returns "VEC3 of float", for messages.
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] constexpr bool is_unsigned(ComponentType type) {
  return type == ComponentType::uint8 || type == ComponentType::uint16 || type == ComponentType::uint32;
}

/// The layout of an element in a view. Columns of matrices start at multiples of four bytes (glTF, Data Alignment).
struct ElementLayout {
  std::size_t column = 0;         ///< bytes of a column's values
  std::size_t column_stride = 0;  ///< bytes from column to column
  std::size_t element = 0;        ///< bytes of the element, without the padding of the last column
  std::size_t packed = 0;         ///< bytes from element to element if packed

  /// Returns the bytes of a view that `count` elements need, or nothing if the number exceeds 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> end(std::uint64_t offset, std::uint64_t count, std::uint64_t stride) const;
};
[[nodiscard]] ElementLayout layout_of(ComponentType component, std::size_t rows, std::size_t columns);
[[nodiscard]] ComponentType component_of(std::uint64_t code);
/// Returns the componentType of glTF 2.0, or 0.
[[nodiscard]] std::uint32_t component_code(ComponentType type);
[[nodiscard]] std::string_view component_name(ComponentType type);

}  // namespace sinew::gltf
