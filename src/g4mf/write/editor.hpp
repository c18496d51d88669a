// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "document/json/edit_members.hpp"
#include "document/json/json_edit.hpp"
#include "g4mf/schema/data/accessors.hpp"

namespace sinew::g4mf {

inline constexpr std::size_t alignment = 16;  ///< of data in a buffer: the size of the largest component

/// Edits a document: the unchanged file, its JSON with changes, and new data. Existing objects keep their indices. New accessors and buffer
/// views are appended, with one new buffer.
class Editor {
 public:
  Editor(const Document& document, Revision revision);

  /// Call this first. Refuses files without a usable dimension or with a buffer that has no source.
  [[nodiscard]] Checked<> begin();
  /// Returns the result. Reading it requires the revision: the new buffer may have `chunk`, even in revisions without this property.
  [[nodiscard]] Result<std::shared_ptr<const Document>> finish();
  [[nodiscard]] const Error& error_of(Defect defect) const { return reading_.error_of(defect); }

  [[nodiscard]] Revision revision() const { return revision_; }
  [[nodiscard]] Reader& reader() { return reading_.reader; }
  [[nodiscard]] Accessors& accessors() { return reading_.accessors; }
  [[nodiscard]] JsonValue old_root() const { return document_.json().root(); }
  [[nodiscard]] std::vector<JsonValue> old_list(RootObject::Row array) const { return list_of(reading_.reader.root()[array]); }
  [[nodiscard]] std::size_t old_count(RootObject::Row array) const { return reading_.reader.root()[array].size(); }
  /// Returns the JSON with changes. Elements of lists keep their positions until a function moves them.
  [[nodiscard]] JsonEdit& root() { return root_; }
  [[nodiscard]] JsonEdit& element(RootObject::Row array, std::size_t index);
  /// Returns a list of the root, added if it is missing.
  [[nodiscard]] JsonEdit& list(std::string_view name) { return list_in(root_, name); }

  /// Takes the memory of another copy of a value from the limit, so that a short file cannot make a long one.
  [[nodiscard]] Checked<> take_copy(JsonValue value) { return reader().take(value, value.text().size(), 2); }
  /// Adds an accessor with these rows, or returns an equal one that was added before.
  [[nodiscard]] Checked<Index> add(const Array& rows);
  [[nodiscard]] Checked<Index> add(std::vector<std::uint32_t> values, std::size_t width = 1) {
    return add(Array::own(std::move(values), width));
  }
  /// Adds a buffer view of bytes (an image). Precondition: not empty.
  [[nodiscard]] Index add_bytes(std::span<const std::byte> bytes);
  /// Adds an accessor of the numbers from 0 below `count`.
  [[nodiscard]] Checked<Index> add_numbers(std::size_t count, std::size_t width);

 protected:
  [[nodiscard]] Index add_accessor(JsonEdit view, ComponentType type, std::size_t width);

 private:
  const Document& document_;
  Revision revision_;
  QuietReading reading_;
  JsonEdit root_;
  std::vector<std::byte> data_;
  std::size_t accessor_count_;
  std::size_t view_count_;
  /// Key: type, width, number of bytes, hash. Value: the position in `data_` and the accessor.
  std::multimap<std::tuple<ComponentType, std::size_t, std::size_t, std::size_t>, std::pair<std::size_t, Index>> added_;
};

[[nodiscard]] std::vector<std::byte> packed(const Array& rows);

[[nodiscard]] std::string_view name_in(Revision revision, const Property& property);

/// Returns the index in a JSON value, or `none` if it is no index.
[[nodiscard]] Index index_of(JsonValue value);

/// Returns the document with the text of `root` and one more buffer with `data` in its own chunk, which the buffer names if its position
/// does not imply it. Zeros are appended if the buffer would equal another one, because the schemas forbid equal objects.
[[nodiscard]] Result<std::shared_ptr<const Document>> with_buffer(const Document& document, Revision revision, JsonEdit& root,
                                                                  std::vector<std::byte> data);

/// Sets a property to an accessor that was added. Fails if adding it failed.
[[nodiscard]] Checked<> set_accessor(JsonEdit& object, std::string_view key, const Checked<Index>& accessor);

/// Returns the decompressed content of a buffer. Takes its memory `times` times from the limit.
[[nodiscard]] Result<Bytes> unpacked(Reader& reader, const Buffers::Packed& packed, JsonValue buffer, std::uint64_t times);

}  // namespace sinew::g4mf
