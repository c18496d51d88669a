// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gltf/read/buffers.hpp"
#include "gltf/schema/element_format.hpp"

namespace sinew::gltf {

/// The properties of an accessor, without its data.
struct AccessorFormat : ElementFormat {
  JsonValue value;
  std::uint64_t count = 0;
  bool strided = false;  ///< the view has a byteStride
  Index view = none;
  std::uint64_t offset = 0;
  JsonValue sparse;

  /// Returns whether `min` and `max` have a number for each component.
  [[nodiscard]] bool has_bounds() const;
};
/// Does not set `view` and `strided`.
[[nodiscard]] AccessorFormat format_of(const AccessorObject& object);

/// The file's accessors. Reads formats at once, and data on first use. Borrows data if type, alignment and stride allow it.
class Accessors {
 public:
  Accessors(Reader& reader, Buffers& buffers);

  [[nodiscard]] const Checked<AccessorFormat>& format(Index index) const { return stored_[index].format; }
  /// Returns all elements, with the sparse ones substituted.
  [[nodiscard]] const Checked<Array>& array(Index index);
  /// Only the replaced elements of an accessor whose other elements are zeros (no bufferView): a sparse morph target.
  struct Replaced {
    Array indices;  ///< unsigned, strictly increasing, below the count
    Array values;
  };
  [[nodiscard]] const Checked<Replaced>& replaced(Index index);
  /// Returns the largest value of an accessor of unsigned integers. Precondition: array(index) has a value.
  [[nodiscard]] std::uint32_t largest(Index index);
  /// Returns the rows that a sparse accessor replaces, as stored. `value`: its `indices`.
  [[nodiscard]] Checked<Array> sparse_indices(JsonValue value, std::uint64_t count);

 private:
  struct Stored {
    Checked<AccessorFormat> format;
    std::optional<Checked<Array>> array;
    std::unique_ptr<Checked<Replaced>> replaced;  ///< a pointer, because few accessors have it
    std::optional<std::uint32_t> largest;
  };

  [[nodiscard]] Checked<AccessorFormat> read_format(JsonValue value);
  [[nodiscard]] Checked<Array> read_array(Index index, const AccessorFormat& format);
  [[nodiscard]] Checked<Array> read_zeros(const AccessorFormat& format);
  [[nodiscard]] Checked<Replaced> read_replaced(const AccessorFormat& format);
  [[nodiscard]] Checked<Array> read_view(JsonValue at, const Checked<Index>& view_index, std::uint64_t offset, std::uint64_t count,
                                         const AccessorFormat& format);
  [[nodiscard]] Checked<Array> substitute(const AccessorFormat& format, const Array* base, const Replaced& changes);

  Reader& reader_;
  Buffers& buffers_;
  std::vector<Stored> stored_;
};

/// Calls `use` with the view of an array of unsigned integers of 1, 2 or 4 bytes. Precondition: the array has such a type.
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
/// Calls `use` with a value of the component type.
template <class Use>
auto with_type(ComponentType type, Use use) {
  switch (type) {
    case ComponentType::int8:
      return use(std::int8_t{});
    case ComponentType::uint8:
      return use(std::uint8_t{});
    case ComponentType::int16:
      return use(std::int16_t{});
    case ComponentType::uint16:
      return use(std::uint16_t{});
    case ComponentType::uint32:
      return use(std::uint32_t{});
    default:
      return use(float{});
  }
}
/// Returns joints or indices as integers, even if their accessor is normalised.
[[nodiscard]] Array as_integers(const Array& values);
[[nodiscard]] std::uint32_t largest_value(const Array& array);
[[nodiscard]] constexpr std::uint32_t largest_of(ComponentType type) { return 0xFFFFFFFFu >> (32 - 8 * byte_size(type)); }

}  // namespace sinew::gltf
