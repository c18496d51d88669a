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

using document::JsonEdit;
using document::list_in;
using document::object_in;

inline constexpr std::size_t alignment = 16;  ///< of data in a buffer: that of the largest component

/// A change of a document: the file as it is, its JSON in the making, and the data that are new. What is there keeps its index; new
/// accessors and buffer views stand behind it, in one new buffer.
class Editor {
 public:
  Editor(const document::Document& document, Revision revision);

  /// Refused: what has no usable dimension, or a buffer that stands nowhere. To be called first.
  [[nodiscard]] Checked<> begin();
  /// The result, once all parts of the change are done. What reads or writes it needs to know the revision: the new buffer says which
  /// chunk it is where that does not follow from its place, even in the older ones, which have no name for it.
  [[nodiscard]] Result<std::shared_ptr<const document::Document>> finish();
  /// What a refusal means.
  [[nodiscard]] const Error& error_of(document::Defect defect) const { return model_.defects[defect.index]; }

  [[nodiscard]] Revision revision() const { return revision_; }
  [[nodiscard]] Reader& reader() { return reader_; }
  [[nodiscard]] Accessors& accessors() { return accessors_; }
  /// The file as it is.
  [[nodiscard]] JsonValue old_root() const { return document_.json().root(); }
  [[nodiscard]] std::vector<JsonValue> old_list(RootObject::Row array) const { return list_of(reader_.root()[array]); }
  /// The JSON in the making; its lists have the old elements at their old places until a part says otherwise.
  [[nodiscard]] JsonEdit& root() { return root_; }
  /// An element of a list of the root.
  [[nodiscard]] JsonEdit& element(RootObject::Row array, std::size_t index);
  /// A list of the root, made where there is none.
  [[nodiscard]] JsonEdit& list(std::string_view name) { return list_in(root_, name); }

  /// Takes the memory of another copy of a value in the text from the limit: a short list must not make a long file.
  [[nodiscard]] Checked<> take_copy(JsonValue value) { return reader_.take(value, value.text().size(), 2); }
  /// Adds an accessor with these rows, or finds the one that was added with the same.
  [[nodiscard]] Checked<Index> add(const Array& rows);
  [[nodiscard]] Checked<Index> add(std::vector<std::uint32_t> values, std::size_t width = 1) {
    return add(Array::own(std::move(values), width));
  }
  /// Adds a buffer view of bytes (an image). Precondition: not empty.
  [[nodiscard]] Index add_bytes(std::span<const std::byte> bytes);
  /// An accessor of the numbers from 0 below `count`.
  [[nodiscard]] Checked<Index> add_numbers(std::size_t count, std::size_t width);

 protected:
  [[nodiscard]] Index add_accessor(JsonEdit view, ComponentType type, std::size_t width);

 private:
  const document::Document& document_;
  Revision revision_;
  FindingList ignored_;
  Model model_;
  Reader reader_;
  Buffers buffers_;
  Accessors accessors_;
  JsonEdit root_;
  std::vector<std::byte> data_;
  std::size_t accessor_count_;
  std::size_t view_count_;
  /// By type, width, number of bytes and their hash: the place in `data_` and the accessor.
  std::multimap<std::tuple<ComponentType, std::size_t, std::size_t, std::size_t>, std::pair<std::size_t, Index>> added_;
};

/// The rows of an array one behind the other.
[[nodiscard]] std::vector<std::byte> packed(const Array& rows);

/// The name that a property has in a revision.
[[nodiscard]] std::string_view name_in(Revision revision, const document::Property& property);

/// The index that a value of the file is; `none` for anything else.
[[nodiscard]] Index index_of(JsonValue value);

/// The document with the text of `root`, and with `data` as one more buffer in a chunk of its own, which the buffer names where that does
/// not follow from its place. Zeros follow the data where it would equal another buffer: the schemas want no two equal objects.
[[nodiscard]] Result<std::shared_ptr<const document::Document>> with_buffer(const document::Document& document, Revision revision,
                                                                            JsonEdit& root, std::vector<std::byte> data);

/// Lets a property name an accessor that was added, if it was.
[[nodiscard]] Checked<> set_accessor(JsonEdit& object, std::string_view key, const Checked<Index>& accessor);

/// The content of a buffer: decompressed where it is stored compressed. Takes its memory, `times` over, from the limit.
[[nodiscard]] Result<document::Bytes> unpacked(Reader& reader, const Buffers::Packed& packed, JsonValue buffer, std::uint64_t times);

}  // namespace sinew::g4mf
