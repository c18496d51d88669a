// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::document {

/// A step of a JSON pointer (RFC 6901), as it is written there: with its escapes.
struct PointerStep {
  std::string_view text;
  std::size_t end = 0;  ///< the part of the pointer up to here ends with this step

  /// Returns the name of a member: without escapes.
  [[nodiscard]] std::string name() const;
  /// Returns the index of an array's element; nothing for other names.
  [[nodiscard]] std::optional<std::uint32_t> index() const;
};

/// Returns the steps of a pointer; none of "", and of a text that is no pointer.
[[nodiscard]] std::vector<PointerStep> steps_of(std::string_view pointer);

}  // namespace sinew::document
