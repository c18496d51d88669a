// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "document/json/json_edit.hpp"
#include "document/schema/object.hpp"

namespace sinew::document {

/// What becomes of the indices in an object that moves to another file.
struct Renumbering {
  /// The new index of what `row` refers to; nothing: the member, or the item of a list, is taken away.
  std::function<std::optional<std::uint64_t>(const Property& row, std::uint64_t index)> index;
  /// Called for the member "extensions" of every object that a table describes.
  std::function<void(JsonEdit& extensions, JsonValue source, const Table& holder)> extensions;
  /// The table that describes an object, by what it says of itself.
  std::function<const Table&(JsonValue object, const Table& table)> kind;
};

/// Renumbers all indices that the tables know in an object and in the objects in it. `source`: what `object` was made from.
void renumber(JsonEdit& object, JsonValue source, const Table& table, const Renumbering& renumbering);

/// Lists nodes as children behind those that their parents have: node `place[i]` below `parent[i]`, where both are indices (`none`: it has
/// no place, or no parent).
void append_children(JsonEdit& nodes, std::span<const std::uint32_t> place, std::span<const std::uint32_t> parent, std::uint32_t none);

/// Whether something in the value could be an index or a JSON pointer, as extensions that no table describes may hold.
[[nodiscard]] bool may_hold_indices(JsonValue value);

}  // namespace sinew::document
