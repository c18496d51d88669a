// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/json/eight_bytes.hpp"

namespace sinew::document {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

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

/// Four bytes of text as one number. Precondition: the text has them.
[[nodiscard]] inline std::uint32_t four_bytes(std::string_view text, std::size_t at) {
  std::uint32_t bytes;
  std::memcpy(&bytes, text.data() + at, sizeof(bytes));
  return bytes;
}
/// Whether two names are equal. They are short: a call of memcmp, which the algorithms of the library make, costs as much as all the rest
/// of finding one.
[[nodiscard]] inline bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size() || a.empty()) return a.size() == b.size();
  if (a.size() < 4) return a.front() == b.front() && a[a.size() / 2] == b[a.size() / 2] && a.back() == b.back();
  if (a.size() < 8) return four_bytes(a, 0) == four_bytes(b, 0) && four_bytes(a, a.size() - 4) == four_bytes(b, a.size() - 4);
  for (std::size_t at = 8; at < a.size(); at += 8)
    if (eight_bytes(a, at - 8) != eight_bytes(b, at - 8)) return false;
  return eight_bytes(a, a.size() - 8) == eight_bytes(b, b.size() - 8);
}

/// What stands at `offset`, for messages: 'x', byte 0x07, the end of the text.
[[nodiscard]] std::string describe_byte(std::string_view text, std::size_t offset);

}  // namespace sinew::document
