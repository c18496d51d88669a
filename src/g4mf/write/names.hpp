// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/unique_names.hpp"
#include "document/json/json_edit.hpp"
#include "g4mf/schema/data/reader.hpp"

namespace sinew::g4mf {

/// The unique names of items. New items get another name.
class Names : public UniqueNames {
 public:
  explicit Names(JsonValue root);
};

/// Returns the `name` strings of `value` and of all items in it, in the order of the text. Skips extras and, unless `in_extensions`,
/// extensions.
[[nodiscard]] std::vector<JsonValue> item_names(JsonValue value, bool in_extensions);

/// Returns a copy of a value whose items have new names.
[[nodiscard]] JsonEdit renamed_copy(JsonValue value, Names& names);

/// Returns the value at a `pointer` (RFC 6901) from `root`, or nullptr if a duplicate key hides it.
[[nodiscard]] JsonEdit* at_pointer(JsonEdit& root, std::string_view pointer);

/// Returns a name without the characters that a revision forbids.
[[nodiscard]] std::string legal_name(std::string_view name, Revision revision);
/// Does the same, but keeps characters that `from` already forbids.
[[nodiscard]] std::string legal_name(std::string_view name, Revision from, Revision to);

}  // namespace sinew::g4mf
