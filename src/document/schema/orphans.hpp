// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "document/json/json_edit.hpp"
#include "document/schema/object.hpp"

namespace sinew::document {

/// How the objects of a format refer to elements of the root's lists, as its property tables say.
struct ReferenceScheme {
  const Table& root;
  std::span<const std::string_view> lists;  ///< the root's list that each kind of reference points into
  std::span<const std::uint8_t> owned;      ///< kinds whose elements are in a file only for what refers to them
  std::uint8_t buffer = 0;                  ///< the kind that a view without `buffer` refers to the first element of
  std::uint8_t view = 0;                    ///< the kind of buffer views
  /// The table that describes an object, by what the object says of itself.
  const Table& (*kind)(JsonValue object, const Table& table);
  /// The table of an extension's object in an object of `holder`; nullptr: not known, so whole numbers in it may be indices.
  const Table* (*extension)(std::string_view name, const Table& holder);
};

/// ReferenceScheme::lists of a format whose kinds of reference are an enum that ends with `count`.
template <class Reference>
[[nodiscard]] constexpr auto list_names(std::string_view (*name)(Reference)) {
  std::array<std::string_view, static_cast<std::size_t>(Reference::count)> names;
  for (std::size_t kind = 0; kind < names.size(); ++kind) names[kind] = name(static_cast<Reference>(kind));
  return names;
}

/// Elements by kind of reference and index.
using ElementFlags = std::vector<std::vector<bool>>;

/// What an edit left without a use: the elements of the owned lists of `after` that nothing in use refers to. Elements that were unused
/// in `before` already stay, with all that they refer to; with `all` they go as well. Indices in extensions that the scheme does not know
/// cannot follow, so such a file keeps what `before` had and loses only new elements at the end of a list.
[[nodiscard]] ElementFlags find_orphans(JsonValue before, JsonValue after, const ReferenceScheme& scheme, bool all);

[[nodiscard]] bool any_of(const ElementFlags& flags);

/// Removes the elements from `root`, made from `source`, and renumbers all references.
void remove_elements(JsonEdit& root, JsonValue source, const ReferenceScheme& scheme, const ElementFlags& gone);

/// A half-open range of bytes of a buffer.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Where the bytes of a buffer go that loses those that only removed views refer to. Bytes that no view refers to stay, except padding
/// between removed ones.
class BufferCompaction {
 public:
  /// `alignment`: a kept range begins at the same place modulo this as before.
  BufferCompaction(std::uint64_t size, std::vector<ByteRange> kept, std::vector<ByteRange> gone, std::uint64_t alignment);

  [[nodiscard]] bool changes() const { return size_ != old_size_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Where a byte that is kept goes.
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

/// The bytes of a buffer that views use, in the place of the views themselves and of extension objects in them; by view.
struct ViewRange {
  std::uint64_t buffer = 0;
  ByteRange bytes;
};
[[nodiscard]] std::vector<ViewRange> ranges_of(JsonValue view);
/// What the removal of the flagged views leaves of a buffer of `size` bytes; with `all` nothing but what the others use.
[[nodiscard]] BufferCompaction compaction_of(const std::vector<JsonValue>& views, const std::vector<bool>& gone, std::uint64_t buffer,
                                             std::uint64_t size, std::uint64_t alignment, bool all);
/// Moves the ranges of the views that stay in `root`, those of `views` without the flagged ones, to where the compaction puts them.
void move_ranges(JsonEdit& root, const std::vector<JsonValue>& views, const std::vector<bool>& gone, std::uint64_t buffer,
                 const BufferCompaction& compaction);

}  // namespace sinew::document
