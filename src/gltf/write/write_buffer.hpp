// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "document/json/json_edit.hpp"
#include "document/schema/content_hash.hpp"

#include "sinew/model.hpp"

namespace sinew::gltf {

inline constexpr std::size_t alignment = 4;  ///< of data in a buffer: that of the largest component

using document::JsonEdit;

/// Computes exact bounds of the stored (not normalised) values per component. Empty if a value is infinite, which JSON cannot store.
void bounds(const Array& values, std::vector<double>& min, std::vector<double>& max);

enum class AccessorUse : std::uint8_t {
  positions,  ///< vertex attribute with min and max
  attribute,  ///< vertex attribute
  indices,    ///< of a primitive
  times,      ///< keys of an animation, with min and max
  data,       ///< bind matrices, values of an animation
};

/// Returns whether glTF has an accessor type for this width: SCALAR, VEC2 … VEC4 (and MAT2), MAT3, MAT4.
[[nodiscard]] bool accessor_width(std::size_t width);

/// Collects the bytes of a buffer with its views and accessors, which may follow those of an existing file. Equal accessors are stored
/// once. Every accessor has its own view, so a byteStride occurs only where alignment requires it.
class BufferWriter {
 public:
  /// `views`, `accessors`: the numbers of existing ones.
  BufferWriter(std::size_t views, std::size_t accessors) : first_view_(views), first_accessor_(accessors) {}

  /// Stores rows and returns the accessor. Component types that glTF does not allow become float32. Indices are scalars and get the
  /// smallest type, not below their own, whose maximum is above the largest index (glTF, Meshes: that value restarts primitives).
  /// Precondition: at least one row, of an accessor_width.
  [[nodiscard]] Index add(const Array& values, AccessorUse use);
  /// Adds an accessor of `count` rows: row rows[i] is row i of `values`, all others are zeros. Without `rows`, all are zeros.
  /// Preconditions: `rows` is ascending, below `count`, and as long as `values`; `use` is positions or attribute.
  [[nodiscard]] Index add_sparse(std::size_t count, const Array& rows, const Array& values, AccessorUse use);
  /// Stores bytes (an image) and returns the view. Precondition: not empty.
  [[nodiscard]] Index add_bytes(std::span<const std::byte> bytes);

  [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

  /// Appends the views and accessors to a file's lists. The bytes start at `offset` in `buffer`, a multiple of 4.
  void append_views(JsonEdit& list, std::size_t buffer, std::size_t offset) const;
  void append_accessors(JsonEdit& list) const;
  [[nodiscard]] bool has_views() const { return !views_.empty(); }
  [[nodiscard]] bool has_accessors() const { return !accessors_.empty(); }

 private:
  /// The address and format of an array, and its use.
  using Where = std::tuple<const std::byte*, std::size_t, std::size_t, std::size_t, ComponentType, bool, AccessorUse>;
  /// The use and format of an accessor, its number of rows, and the hash of its bytes.
  using Stored = std::tuple<AccessorUse, ComponentType, bool, std::size_t, std::size_t, std::uint64_t>;

  /// Appends `size` zeroed bytes, starting at a multiple of 4.
  std::span<std::byte> append(std::size_t size);
  /// Adds a view of the last `size` bytes. `stride`: 0 = packed; `target`: 0 = none.
  [[nodiscard]] Index add_view(std::size_t size, std::size_t stride, std::uint32_t target);
  [[nodiscard]] Index add_rows(const Array& values, std::uint32_t target);
  [[nodiscard]] Index store(const Array& values, AccessorUse use);
  /// Adds an accessor of `count` rows: `values`, and zeros. `view`: none without data.
  [[nodiscard]] Index add_object(Index view, const Array& values, std::size_t count, AccessorUse use);

  std::size_t first_view_ = 0, first_accessor_ = 0;
  std::vector<std::byte> bytes_;
  std::vector<std::size_t> starts_;                              ///< of views, in `bytes_`
  std::vector<JsonEdit> views_, accessors_;                      ///< as in the file, but views are placed when they are appended
  std::multimap<Stored, std::pair<std::size_t, Index>> stored_;  ///< the start of the bytes and the accessor
  /// Arrays that were added before need no hash. They are kept, so that no other array gets their address.
  std::map<Where, std::pair<Array, Index>> known_;
};

}  // namespace sinew::gltf
