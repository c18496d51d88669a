// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/unique_names.hpp"
#include "document/json/json_edit.hpp"
#include "g4mf/revise/reviser.hpp"

namespace sinew::g4mf {

/// The names that items have, each once: what is made anew takes another one.
class Names : public UniqueNames {
 public:
  Names() = default;
  explicit Names(JsonValue root);
};

/// The `name` strings of `value` and of all items in it, in the order of the text; extras hold no items. Those in extensions only if
/// wanted.
[[nodiscard]] std::vector<JsonValue> item_names(JsonValue value, bool in_extensions);

/// A copy of a value whose items have names of their own.
[[nodiscard]] JsonEdit renamed_copy(JsonValue value, Names& names);

/// What `pointer` (RFC 6901) leads to from `root`; nullptr where an equal key hides it.
[[nodiscard]] JsonEdit* at_pointer(JsonEdit& root, std::string_view pointer);

/// Gives properties that the tables know under several names the one of the new revision, in the whole file.
void rename_properties(Reviser& reviser);
/// Replaces characters that the new revision forbids in names and the old one does not.
void revise_names(Reviser& reviser);
/// A name without the characters that a revision forbids in names.
[[nodiscard]] std::string legal_name(std::string_view name, Revision revision);
/// Whether revise_names has anything to do.
[[nodiscard]] bool has_forbidden_names(JsonValue root, Revision from, Revision to);

}  // namespace sinew::g4mf
