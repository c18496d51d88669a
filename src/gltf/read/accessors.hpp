// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gltf/read/buffers.hpp"
#include "gltf/schema/element_format.hpp"

namespace sinew::gltf {

/// What an accessor's own properties say, before its data is looked at.
struct AccessorFormat : ElementFormat {
  JsonValue value;
  std::uint64_t count = 0;
  bool strided = false;  ///< its view has a byteStride
  Index view = none;
  std::uint64_t offset = 0;
  JsonValue sparse;

  /// Whether `min` and `max` have a number for each component.
  [[nodiscard]] bool has_bounds() const;
};
/// `view` and `strided` are not set.
[[nodiscard]] AccessorFormat format_of(const AccessorObject& object);

/// The file's accessors. Formats are read at once, data when first asked for: borrowed where type, alignment and stride allow it.
class Accessors {
 public:
  Accessors(Reader& reader, Buffers& buffers);

  [[nodiscard]] const Checked<AccessorFormat>& format(Index index) const { return stored_[index].format; }
  /// All elements, sparse ones put in.
  [[nodiscard]] const Checked<Array>& array(Index index);
  /// The replaced elements alone, of an accessor whose others are zeros (no bufferView): what a sparse morph target is.
  struct Replaced {
    Array indices;  ///< unsigned, strictly increasing, below the count
    Array values;
  };
  [[nodiscard]] const Checked<Replaced>& replaced(Index index);
  /// The largest value of an accessor of unsigned integers. Precondition: array(index) has a value.
  [[nodiscard]] std::uint32_t largest(Index index);
  /// The rows that a sparse accessor replaces, as stored; `value`: its `indices`.
  [[nodiscard]] Checked<Array> sparse_indices(JsonValue value, std::uint64_t count);

 private:
  struct Stored {
    Checked<AccessorFormat> format;
    std::optional<Checked<Array>> array;
    std::unique_ptr<Checked<Replaced>> replaced;  ///< few have it
    std::optional<std::uint32_t> largest;
  };

  [[nodiscard]] Checked<AccessorFormat> read_format(JsonValue value);
  [[nodiscard]] Checked<Array> read_array(Index index, const AccessorFormat& format);
  [[nodiscard]] Checked<Array> read_view(const AccessorFormat& format);
  [[nodiscard]] Checked<Array> read_zeros(const AccessorFormat& format);
  [[nodiscard]] Checked<Replaced> read_replaced(const AccessorFormat& format);
  [[nodiscard]] Checked<Array> read_sparse_part(JsonValue at, const Checked<Index>& view_index, std::uint64_t offset, std::uint64_t count,
                                                const AccessorFormat& format);
  [[nodiscard]] Checked<Array> substitute(const AccessorFormat& format, const Array* base, const Replaced& changes);

  Reader& reader_;
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
/// Joints and indices are numbers whatever their accessor says about normalising.
[[nodiscard]] Array as_integers(const Array& values);
[[nodiscard]] std::uint32_t largest_value(const Array& array);
/// The largest value that such a type can hold.
[[nodiscard]] constexpr std::uint32_t largest_of(ComponentType type) { return 0xFFFFFFFFu >> (32 - 8 * byte_size(type)); }

}  // namespace sinew::gltf
