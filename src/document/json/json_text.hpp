// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::document {

/// How far the grammar of a token (RFC 8259) could be followed.
struct TokenScan {
  std::size_t end = 0;             ///< one past the token, or the byte that does not fit
  const char* expected = nullptr;  ///< what the grammar wants at `end`; null: the token is sound
  bool escaped = false;            ///< a string with escapes
  bool unrepresentable = false;    ///< a string with a lone surrogate
};

/// `text[begin]` is the opening quote.
[[nodiscard]] TokenScan scan_string(std::string_view text, std::size_t begin);
/// `text[begin]` is '-' or a digit. What follows the token is checked too.
[[nodiscard]] TokenScan scan_number(std::string_view text, std::size_t begin);
/// `word` is true, false or null. What follows the token is checked too.
[[nodiscard]] TokenScan scan_word(std::string_view text, std::size_t begin, const char* word);

/// A sound number; nothing when its magnitude is too large for double. Too small is zero.
[[nodiscard]] std::optional<double> to_double(std::string_view number);

/// A sound string without its quotes, as UTF-8; a lone surrogate becomes U+FFFD.
[[nodiscard]] std::string unescape(std::string_view inner);

/// Offset of the first byte that is no UTF-8 (RFC 3629: no surrogates, no overlong forms); nothing when all is.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// What stands at `offset`, for messages: 'x', byte 0x07, the end of the text.
[[nodiscard]] std::string describe_byte(std::string_view text, std::size_t offset);

}  // namespace sinew::document
