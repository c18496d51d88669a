// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace sinew::document {

/// Where the tokens of a JSON text begin, and what keeps the list alive.
struct QuickTokens {
  std::span<const std::uint32_t> list;
  std::shared_ptr<const void> owner;
};

/// What find_tokens finds, by simdjson's first stage, which sees to UTF-8 as well; nothing where it finds a fault, whose place it does not
/// tell.
[[nodiscard]] std::optional<QuickTokens> quick_tokens(std::string_view text);

}  // namespace sinew::document
