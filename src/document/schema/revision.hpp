// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "sinew/document.hpp"

namespace sinew::g4mf {

[[nodiscard]] inline std::string_view name_of(Revision revision) { return revision_names[static_cast<std::size_t>(revision)]; }

/// Returns the revision with this name, if there is one.
[[nodiscard]] inline std::optional<Revision> revision_named(std::string_view name) {
  const auto* const found = std::ranges::find(revision_names, name);
  return found == std::end(revision_names) ? std::nullopt : std::optional(static_cast<Revision>(found - std::begin(revision_names)));
}

}  // namespace sinew::g4mf
