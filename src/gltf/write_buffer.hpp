// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "document/json_writer.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

using document::JsonWriter;

/// A 64-bit hash of bytes, the same on every machine; for names and for finding equal arrays, not against forgery.
[[nodiscard]] std::uint64_t content_hash(std::span<const std::byte> bytes);

/// What an accessor is for.
enum class AccessorUse : std::uint8_t {
  positions,  ///< vertex attribute with min and max
  attribute,  ///< vertex attribute
  indices,    ///< of a primitive
};

/// Whether glTF has an accessor type for rows of that width: SCALAR, VEC2 … VEC4 (and MAT2), MAT3, MAT4.
[[nodiscard]] bool accessor_width(std::size_t width);

/// Collects the one buffer of a file with its views and accessors. Equal accessors are stored once; every accessor has a view of its
/// own, so that none needs a byteStride that its alignment does not ask for.
class BufferWriter {
 public:
  /// Stores rows and returns the accessor. Component types that glTF lacks become float32. Indices are scalars and get the smallest of
  /// their own and wider types in which the largest index is not the type's maximum (glTF, Meshes: that value restarts primitives).
  /// Precondition: at least one row, of an accessor_width.
  [[nodiscard]] Index add_accessor(const Array& values, AccessorUse use);
  /// Stores bytes (an image) and returns the view. Precondition: not empty.
  [[nodiscard]] Index add_bytes(std::span<const std::byte> bytes);

  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

  /// The members buffers, bufferViews and accessors; those that would be empty are left out. `uri` empty: the buffer is a GLB's chunk.
  void write(JsonWriter& json, std::string_view uri) const;

 private:
  struct View {
    std::size_t offset;
    std::size_t size;
    std::size_t stride;    ///< 0 = packed
    std::uint32_t target;  ///< 0 = none
  };
  struct Accessor {
    AccessorUse use;
    Index view;
    std::size_t count;
    std::size_t width;
    ComponentType type;
    bool normalized;
    std::vector<double> min, max;
  };

  /// Room for `size` bytes at the end, zeroed, its start a multiple of 4.
  std::span<std::byte> append(std::size_t size);
  /// An accessor that would be like `wanted` over equal bytes, or none.
  [[nodiscard]] Index find_equal(const Accessor& wanted, std::uint64_t hash, std::span<const std::byte> bytes) const;

  std::vector<std::byte> bytes_;
  std::vector<View> views_;
  std::vector<Accessor> accessors_;
  std::unordered_multimap<std::uint64_t, Index> accessors_by_hash_;
};

}  // namespace sinew::gltf
