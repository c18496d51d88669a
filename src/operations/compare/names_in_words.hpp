// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "sinew/model.hpp"

namespace sinew::operations {

/// Returns ` "NAME"` to follow an index, or nothing for an object without a name.
[[nodiscard]] inline std::string quoted_name(std::string_view name) { return name.empty() ? std::string() : fmt::format(" \"{}\"", name); }

/// Returns `node 3 "Hip"`, or `node 3` for a node without a name.
[[nodiscard]] inline std::string node_in_words(Index node, std::string_view name) {
  return fmt::format("node {}{}", node, quoted_name(name));
}

}  // namespace sinew::operations
