// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "document/json/json.hpp"

namespace sinew::operations {

/// The rows of an accessor in its buffer view.
struct AccessorRows {
  std::uint64_t view = 0;
  std::uint64_t offset = 0;  ///< of the first row in the view
  std::uint64_t count = 0;   ///< at least 1
  std::size_t size = 0;      ///< of a row
};

/// Returns the rows of an accessor that has all of them in one view, without padding inside of a row; nothing for others.
[[nodiscard]] std::optional<AccessorRows> accessor_rows(document::JsonValue accessor);

}  // namespace sinew::operations
