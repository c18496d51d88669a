// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
  std::uint8_t of_extension = 0;            ///< kind of lists in the root's extensions (Property::of_list); 0: none
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

/// How to change the indices in an object that moves to another file.
struct Renumbering {
  const ReferenceScheme& scheme;
  /// Returns the new index for a reference; nothing removes the member or the list item.
  std::function<std::optional<std::uint64_t>(const Property& row, std::uint64_t index)> index;
  /// Returns the new name of an element that a row names; empty: names stay.
  std::function<std::string(const Property& row, std::string name)> name = {};
  /// Gets each extension object that may have indices that nothing can read. Empty: renumber returns false for it.
  std::function<void(const JsonMember& extension)> unreadable = {};
};

/// Renumbers all indices in an object that the tables describe, and in its extensions. `object` was made from `source`; null: nothing is
/// changed, and the functions of `renumbering` see all references. Returns whether it could read all of them: no value has another type
/// than its row, such as "mesh": "0", or an object of nodes in place of a list.
bool renumber(JsonEdit* object, JsonValue source, const Table& table, const Renumbering& renumbering);
/// Does the same for one member of an object with this table.
bool renumber_member(JsonEdit* object, const JsonMember& member, const Table& table, const Renumbering& renumbering);

/// Renumbers the indices in a JSON pointer into the file ("/nodes/3/translation", "/extensions/EXTENSION/lights/0/color"), also
/// in a template, whose steps in braces are filled at run time. Other texts, and what the tables do not describe, stay. Returns nothing if
/// an element that it names goes.
[[nodiscard]] std::optional<std::string> renumber_pointer(std::string_view pointer, const Renumbering& renumbering);

/// Appends nodes to the children of their parents: node `place[i]` below `parent[i]`. `none`: the node or its parent does not exist.
void append_children(JsonEdit& nodes, std::span<const std::uint32_t> place, std::span<const std::uint32_t> parent, std::uint32_t none);

/// Returns whether the value may contain an index or a JSON pointer, for extensions without a table.
[[nodiscard]] bool may_hold_indices(JsonValue value);

}  // namespace sinew::document
