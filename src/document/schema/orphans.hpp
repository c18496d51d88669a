// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "document/json/json_edit.hpp"
#include "document/schema/renumber.hpp"

namespace sinew::document {

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
inline bool renumber_references(JsonEdit& root, JsonValue source, const ReferenceScheme& scheme,
                                const std::function<std::optional<std::uint64_t>(const Property& row, std::uint64_t index)>& index) {
  return !renumber(&root, source, scheme.root, {.scheme = scheme, .index = index});
}

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
/// Calls `visit` for a view and for each of its extension objects that names a buffer. `edit`: was made from `view`.
void visit_ranges(JsonEdit& edit, JsonValue view, const std::function<void(JsonEdit& object, JsonValue source)>& visit);
/// Updates the offsets of the remaining views in `root`; `views`: all views, including flagged ones.
void move_ranges(JsonEdit& root, const std::vector<JsonValue>& views, const std::vector<bool>& gone, std::uint64_t buffer,
                 const BufferCompaction& compaction);

}  // namespace sinew::document
