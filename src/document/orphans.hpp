// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/json_edit.hpp"
#include "document/object.hpp"

namespace sinew::document {

/// Lists of a file's root whose elements exist only for what refers to them, and the tables that know all references.
struct OwnedLists {
  struct List {
    std::string_view name;
    std::uint8_t reference;  ///< of rows that point into it
    const Table* table;
  };
  const Table* root;
  std::span<const List> lists;
  /// The table of an extension's object; nullptr: it holds no indices that are known.
  std::function<const Table*(const std::string& extension, const Table& holder)> extension;
  /// The table that describes an object, by what it says of itself.
  std::function<const Table&(JsonValue object, const Table& table)> kind;
};

/// A range of bytes in a buffer: begin and end.
using ByteRange = std::pair<std::uint64_t, std::uint64_t>;

/// What an edit left without a user.
struct Orphans {
  std::map<std::uint8_t, std::vector<bool>> dead;  ///< by reference, of each element
  bool renumbers = false;                          ///< whether an element of the file that was extended gets another index
  [[nodiscard]] bool any() const;
};

/// Finds the elements that nothing uses in `after`, and that `before` used or did not have. `first` is the file that `before` was made of
/// by appending. What is in several of them has the same index in all.
[[nodiscard]] Orphans find_orphans(JsonValue first, JsonValue before, JsonValue after, const OwnedLists& lists);

/// The root of a file without the orphans, all indices renumbered. `stale` hears of extensions that may hold indices which are not known.
[[nodiscard]] JsonEdit without_orphans(JsonValue root, const Orphans& orphans, const OwnedLists& lists,
                                       const std::function<void(JsonValue extension)>& stale);

/// Bytes of `dead` that are not in `used`, in ascending order, shrunk to multiples of `alignment`, so that what follows keeps its
/// alignment.
[[nodiscard]] std::vector<ByteRange> removable_bytes(std::vector<ByteRange> dead, std::vector<ByteRange> used, std::uint64_t alignment);

/// The place of a byte once the removed ranges before it are gone, and the bytes without those ranges.
[[nodiscard]] std::uint64_t moved_place(std::uint64_t place, std::span<const ByteRange> removed);
[[nodiscard]] std::vector<std::byte> without_ranges(std::span<const std::byte> bytes, std::span<const ByteRange> removed);

}  // namespace sinew::document
