// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/message.hpp"

#include "sinew/model.hpp"

namespace sinew::operations {

/// Returns ` "NAME"` to follow an index, or nothing for an object without a name.
[[nodiscard]] inline std::string quoted_name(std::string_view name) { return name.empty() ? std::string() : format_text(" \"{}\"", name); }

/// Returns `node 3 "Hip"`, or `node 3` for a node without a name.
[[nodiscard]] inline std::string node_in_words(Index node, std::string_view name) {
  return format_text("node {}{}", node, quoted_name(name));
}

}  // namespace sinew::operations
