// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "document/json/json_edit.hpp"
#include "document/schema/object.hpp"

namespace sinew::document {

/// How to change the indices in an object that moves to another file.
struct Renumbering {
  /// Returns the new index for a reference; nothing removes the member or the list item.
  std::function<std::optional<std::uint64_t>(const Property& row, std::uint64_t index)> index;
  /// Called for the member "extensions" of every object with a table.
  std::function<void(JsonEdit& extensions, JsonValue source, const Table& holder)> extensions;
  /// Returns the table that describes an object, which may depend on its content.
  std::function<const Table&(JsonValue object, const Table& table)> kind;
};

/// Renumbers all indices in an object that the tables describe. `object` was made from `source`. Returns whether it could read all of them
/// (is_readable).
bool renumber(JsonEdit& object, JsonValue source, const Table& table, const Renumbering& renumbering);

/// Returns false if a value has another type than its row, and so may hold indices that nothing can read: "mesh": "0", or an object of
/// nodes in place of a list.
[[nodiscard]] bool is_readable(const Property& row, JsonValue value);

/// Appends nodes to the children of their parents: node `place[i]` below `parent[i]`. `none`: the node or its parent does not exist.
void append_children(JsonEdit& nodes, std::span<const std::uint32_t> place, std::span<const std::uint32_t> parent, std::uint32_t none);

/// Returns whether the value may contain an index or a JSON pointer, for extensions without a table.
[[nodiscard]] bool may_hold_indices(JsonValue value);

}  // namespace sinew::document
