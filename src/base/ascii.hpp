// SPDX-License-Identifier: MIT
/// Kinds of ASCII characters, whatever the locale. Bytes from 0x80 on are of none.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace sinew {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
[[nodiscard]] constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
[[nodiscard]] constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }

[[nodiscard]] constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] inline std::string to_lower(std::string text) {
  for (char& c : text) c = to_lower(c);
  return text;
}

/// Returns whether a text is one or more digits.
[[nodiscard]] constexpr bool is_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

}  // namespace sinew
