// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gltf/read/buffers.hpp"

namespace sinew::gltf {

/// What an accessor's own properties say, before its data is looked at.
struct AccessorFormat {
  JsonValue value;
  std::uint64_t count = 0;
  std::uint8_t type = 0;  ///< place in accessor_types
  std::uint8_t rows = 1;  ///< components of a column; of the whole element but for matrices
  std::uint8_t columns = 1;
  ComponentType component = ComponentType::float32;
  bool normalized = false;
  bool strided = false;  ///< its view has a byteStride
  Index view = none;
  std::uint64_t offset = 0;
  JsonValue sparse;
  bool in_place = true;  ///< it lies in its view as it should, as far as that was checked
  /// Why its data cannot be had, where every rule is checked: what is known of it is held against its uses all the same. Unknown are then
  /// type and component both (a width of 0), or the count (0).
  std::optional<Defect> defect;

  /// Whether the file has bytes for it where they should be; else there is nothing that rules about values could look at.
  [[nodiscard]] bool has_data() const { return !defect && in_place && (view != none || sparse); }
  [[nodiscard]] std::size_t width() const { return std::size_t{rows} * columns; }  ///< 0: unknown
  /// Bytes of an element without padding.
  [[nodiscard]] std::size_t packed_size() const { return width() * byte_size(component); }
  /// "VEC3 of float", for messages.
  [[nodiscard]] std::string text() const;
};

/// The file's accessors. Formats are read at once, data when first asked for: borrowed where type, alignment and stride allow it.
class Accessors {
 public:
  Accessors(Reading& reading, Buffers& buffers);

  [[nodiscard]] const Checked<AccessorFormat>& format(Index index) const { return stored_[index].format; }
  /// The same without those that have a defect.
  [[nodiscard]] Checked<AccessorFormat> usable(Index index) const;
  /// All elements, sparse ones put in.
  [[nodiscard]] Checked<Array> array(Index index);
  /// The replaced elements alone, of an accessor whose others are zeros (no bufferView): what a sparse morph target is.
  struct Replaced {
    Array indices;  ///< unsigned, strictly increasing, below the count
    Array values;
  };
  [[nodiscard]] Checked<Replaced> replaced(Index index);
  /// The largest value of an accessor of unsigned integers. Precondition: array(index) has a value.
  [[nodiscard]] std::uint32_t largest(Index index);
  /// Holds the data of all accessors against what they say of it.
  void check_data();

 private:
  struct Stored {
    Checked<AccessorFormat> format;
    std::optional<Checked<Array>> array;
    std::optional<Checked<Replaced>> replaced;
    std::optional<std::uint32_t> largest;
  };

  [[nodiscard]] Checked<AccessorFormat> read_format(JsonValue value);
  [[nodiscard]] Checked<Array> read_array(Index index, const AccessorFormat& format);
  [[nodiscard]] Checked<Array> read_view(const AccessorFormat& format);
  [[nodiscard]] Checked<Array> read_zeros(const AccessorFormat& format);
  [[nodiscard]] Checked<Replaced> read_replaced(const AccessorFormat& format);
  [[nodiscard]] Checked<Array> read_sparse_part(JsonValue at, const Checked<Index>& view_index, std::uint64_t offset, std::uint64_t count,
                                                const AccessorFormat& format);
  [[nodiscard]] Checked<Array> read_sparse_indices(JsonValue value, std::uint64_t count);
  [[nodiscard]] Checked<Array> read_sparse_indices(const AccessorFormat& format);
  [[nodiscard]] Checked<Array> substitute(const AccessorFormat& format, const Array* base, const Replaced& changes);

  Reading& reading_;
  Buffers& buffers_;
  std::vector<Stored> stored_;
};

/// Calls `use` with the view of an array of unsigned integers of 1, 2 or 4 bytes. Precondition: it is one.
template <class Use>
auto with_unsigned(const Array& array, Use use) {
  switch (array.type()) {
    case ComponentType::uint8:
      return use(array.view<std::uint8_t>());
    case ComponentType::uint16:
      return use(array.view<std::uint16_t>());
    default:
      return use(array.view<std::uint32_t>());
  }
}
/// Whether the component type is one of those.
[[nodiscard]] constexpr bool is_unsigned(ComponentType type) {
  return type == ComponentType::uint8 || type == ComponentType::uint16 || type == ComponentType::uint32;
}
[[nodiscard]] std::uint32_t largest_value(const Array& array);
/// The largest value that such a type can hold.
[[nodiscard]] constexpr std::uint32_t largest_of(ComponentType type) { return 0xFFFFFFFFu >> (32 - 8 * byte_size(type)); }

/// The layout of an element in a view: columns of matrices start at multiples of four bytes (glTF, Data Alignment).
struct ElementLayout {
  std::size_t column = 0;         ///< bytes of a column's values
  std::size_t column_stride = 0;  ///< bytes from column to column
  std::size_t element = 0;        ///< bytes that the element needs; the last column's padding does not count
  std::size_t packed = 0;         ///< bytes from element to element when packed

  /// Bytes of a view that `count` elements reach to; nothing where that is beyond 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> end(std::uint64_t offset, std::uint64_t count, std::uint64_t stride) const;
};
[[nodiscard]] ElementLayout layout_of(ComponentType component, std::size_t rows, std::size_t columns);
[[nodiscard]] ComponentType component_of(std::uint64_t code);
[[nodiscard]] std::string_view component_name(ComponentType type);

}  // namespace sinew::gltf
