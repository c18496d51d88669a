// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/unique_names.hpp"
#include "document/json/json_edit.hpp"
#include "g4mf/schema/data/reader.hpp"

namespace sinew::g4mf {

using document::JsonEdit;

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

/// A name without the characters that a revision forbids in names.
[[nodiscard]] std::string legal_name(std::string_view name, Revision revision);
/// The same without those that `from` forbade already.
[[nodiscard]] std::string legal_name(std::string_view name, Revision from, Revision to);
/// Whether items of a file have names that only the newer revision forbids.
[[nodiscard]] bool has_forbidden_names(JsonValue root, Revision from, Revision to);

}  // namespace sinew::g4mf
