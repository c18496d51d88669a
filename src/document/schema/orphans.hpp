// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "document/json/json_edit.hpp"
#include "document/schema/object.hpp"

namespace sinew::document {

/// Describes how objects of a format refer to elements of the root's lists, from its property tables.
struct ReferenceScheme {
  const Table& root;
  std::span<const std::string_view> lists;  ///< by kind of reference: the name of the root's list
  std::span<const std::uint8_t> owned;      ///< kinds whose elements are useless without a reference
  std::uint8_t buffer = 0;                  ///< kind of buffers; a view without `buffer` refers to the first one
  std::uint8_t view = 0;                    ///< kind of buffer views
  /// Returns the table that describes an object, which may depend on its content.
  const Table& (*kind)(JsonValue object, const Table& table);
  /// Returns the table of an extension's object in `holder`; nullptr: unknown, so whole numbers in it may be indices.
  const Table* (*extension)(std::string_view name, const Table& holder);
};

/// Returns ReferenceScheme::lists for an enum of references that ends with `count`.
template <class Reference>
[[nodiscard]] constexpr auto list_names(std::string_view (*name)(Reference)) {
  std::array<std::string_view, static_cast<std::size_t>(Reference::count)> names;
  for (std::size_t kind = 0; kind < names.size(); ++kind) names[kind] = name(static_cast<Reference>(kind));
  return names;
}

/// Elements by kind of reference and index.
using ElementFlags = std::vector<std::vector<bool>>;

/// Finds the elements of the owned lists of `after` that no used object refers to. Elements that nothing in `before` refers to stay with
/// everything that they refer to, unless `all`; flagged elements of `kept` always do. Indices in unknown extensions, and in values of a
/// wrong type, cannot be renumbered. So a file with such a value keeps all elements of `before` and loses only new ones at the end of a
/// list.
[[nodiscard]] ElementFlags find_orphans(JsonValue before, JsonValue after, const ReferenceScheme& scheme, bool all,
                                        const ElementFlags& kept = {});

[[nodiscard]] bool any_of(const ElementFlags& flags);

/// Gives all references in `root`, an edit of `source`, the index that `index` returns (Renumbering). Returns whether an extension that is
/// not known, or a value of a wrong type, may contain indices, too.
bool renumber_references(JsonEdit& root, JsonValue source, const ReferenceScheme& scheme,
                         const std::function<std::optional<std::uint64_t>(const Property& row, std::uint64_t index)>& index);

/// Calls `visit` for each reference that renumber_references would change. Returns the same.
bool visit_references(JsonValue root, const ReferenceScheme& scheme,
                      const std::function<void(const Property& row, std::uint64_t index)>& visit);

/// Removes the elements from `root`, an edit of `source`, and renumbers all references.
void remove_elements(JsonEdit& root, JsonValue source, const ReferenceScheme& scheme, const ElementFlags& gone);

/// A half-open range of bytes of a buffer.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// The new layout of a buffer without the bytes that only removed views use. Bytes that no view uses stay, except padding among them.
class BufferCompaction {
 public:
  /// `alignment`: kept ranges keep their offset modulo this.
  BufferCompaction(std::uint64_t size, std::vector<ByteRange> kept, std::vector<ByteRange> gone, std::uint64_t alignment);

  [[nodiscard]] bool changes() const { return size_ != old_size_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Returns the new offset of a kept byte.
  [[nodiscard]] std::uint64_t place(std::uint64_t offset) const;
  [[nodiscard]] std::vector<std::byte> apply(std::span<const std::byte> bytes) const;

 private:
  struct Segment {
    ByteRange old;
    std::uint64_t begin;  ///< in the new buffer
  };
  std::uint64_t old_size_;
  std::uint64_t size_ = 0;
  std::vector<Segment> segments_;
};

/// The bytes of a buffer that a view uses, in the view itself or in its extension objects.
struct ViewRange {
  std::uint64_t buffer = 0;
  ByteRange bytes;
};
[[nodiscard]] std::vector<ViewRange> ranges_of(JsonValue view);
/// Computes the layout of a buffer of `size` bytes without the flagged views. `all`: keeps only bytes that other views use.
[[nodiscard]] BufferCompaction compaction_of(const std::vector<JsonValue>& views, const std::vector<bool>& gone, std::uint64_t buffer,
                                             std::uint64_t size, std::uint64_t alignment, bool all);
/// Updates the offsets of the remaining views in `root`; `views`: all views, including flagged ones.
void move_ranges(JsonEdit& root, const std::vector<JsonValue>& views, const std::vector<bool>& gone, std::uint64_t buffer,
                 const BufferCompaction& compaction);

}  // namespace sinew::document
