// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "document/json/json_edit.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

inline constexpr std::size_t alignment = 4;  ///< of data in a buffer: that of the largest component

using document::JsonEdit;

/// A 64-bit hash of bytes, the same on every machine; for names and for finding equal arrays, not against forgery.
[[nodiscard]] std::uint64_t content_hash(std::span<const std::byte> bytes);

/// What an accessor is for.
enum class AccessorUse : std::uint8_t {
  positions,  ///< vertex attribute with min and max
  attribute,  ///< vertex attribute
  indices,    ///< of a primitive
  times,      ///< keys of an animation, with min and max
  data,       ///< bind matrices, values of an animation
};

/// Whether glTF has an accessor type for rows of that width: SCALAR, VEC2 … VEC4 (and MAT2), MAT3, MAT4.
[[nodiscard]] bool accessor_width(std::size_t width);

/// Collects the bytes of a buffer with its views and accessors, which may stand behind those of a file. Equal accessors are stored once;
/// every accessor has a view of its own, so that none needs a byteStride that its alignment does not ask for.
class BufferWriter {
 public:
  /// Behind `views` and `accessors` that there are already.
  BufferWriter(std::size_t views, std::size_t accessors) : first_view_(views), first_accessor_(accessors) {}

  /// Stores rows and returns the accessor. Component types that glTF lacks there become float32. Indices are scalars and get the smallest
  /// of their own and wider types in which the largest index is not the type's maximum (glTF, Meshes: that value restarts primitives).
  /// Precondition: at least one row, of an accessor_width.
  [[nodiscard]] Index add_accessor(const Array& values, AccessorUse use);
  /// An accessor of `count` rows that are zeros but where `rows` has their number, ascending: there they are those of `values`. None of
  /// them: all are zeros. Preconditions: `rows` below `count` and as many as `values` has rows; `use` is positions or attribute.
  [[nodiscard]] Index add_sparse(std::size_t count, const Array& rows, const Array& values, AccessorUse use);
  /// Stores bytes (an image) and returns the view. Precondition: not empty.
  [[nodiscard]] Index add_bytes(std::span<const std::byte> bytes);

  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

  /// The views and accessors at the end of a file's lists; the bytes stand in `buffer` from `offset`, a multiple of 4.
  void append_views(JsonEdit& list, std::size_t buffer, std::size_t offset) const;
  void append_accessors(JsonEdit& list) const;
  [[nodiscard]] bool has_views() const { return !views_.empty(); }
  [[nodiscard]] bool has_accessors() const { return !accessors_.empty(); }

 private:
  struct View {
    std::size_t offset;
    std::size_t size;
    std::size_t stride;    ///< 0 = packed
    std::uint32_t target;  ///< 0 = none
  };
  struct Sparse {
    std::size_t count;
    ComponentType type;  ///< of the row numbers
    std::size_t rows;    ///< views, counted from the first of this writer
    std::size_t values;
  };
  struct Accessor {
    AccessorUse use;
    std::optional<std::size_t> view;  ///< counted from the first of this writer; nothing = zeros
    std::size_t count;
    std::size_t width;
    ComponentType type;
    bool normalized;
    std::optional<Sparse> sparse;
    std::vector<double> min, max;
  };
  /// An array by its place in memory, and what it is for.
  using Place = std::tuple<const std::byte*, std::size_t, std::size_t, std::size_t, ComponentType, bool, AccessorUse>;

  /// Room for `size` bytes at the end, zeroed, its start a multiple of 4.
  std::span<std::byte> append(std::size_t size);
  /// An accessor that would be like `wanted` over equal bytes, or none.
  [[nodiscard]] Index find_equal(const Accessor& wanted, std::uint64_t hash, std::span<const std::byte> bytes) const;
  [[nodiscard]] Index store(const Array& values, AccessorUse use);
  /// Packed bytes in a view of their own, counted from the first of this writer.
  [[nodiscard]] std::size_t add_packed(const Array& values);
  [[nodiscard]] Index add(Accessor accessor);

  std::size_t first_view_ = 0, first_accessor_ = 0;
  std::vector<std::byte> bytes_;
  std::vector<View> views_;
  std::vector<Accessor> accessors_;
  std::unordered_multimap<std::uint64_t, std::size_t> accessors_by_hash_;
  /// What was asked for before needs no second look at its bytes; the arrays are kept, so that no other can take their place.
  std::map<Place, std::pair<Array, Index>> known_;
};

}  // namespace sinew::gltf
