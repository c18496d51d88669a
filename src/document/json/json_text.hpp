// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "document/json/eight_bytes.hpp"
#include "document/json/json.hpp"

namespace sinew::document {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The result of scanning a token (RFC 8259).
struct TokenScan {
  std::size_t end = 0;             ///< one after the token, or the first invalid byte
  const char* expected = nullptr;  ///< what the grammar expects at `end`; null: the token is valid
  bool escaped = false;            ///< a string with escapes
  bool unrepresentable = false;    ///< a string with a lone surrogate
};

/// Precondition: `text[begin]` is the opening quote.
[[nodiscard]] TokenScan scan_string(std::string_view text, std::size_t begin);
/// Precondition: `text[begin]` is '-' or a digit. Also checks what follows the token.
[[nodiscard]] TokenScan scan_number(std::string_view text, std::size_t begin);
/// `word`: true, false or null. Also checks what follows the token.
[[nodiscard]] TokenScan scan_word(std::string_view text, std::size_t begin, const char* word);

/// Converts a valid number; nothing if it is too large for double. Numbers that are too small become 0.
[[nodiscard]] std::optional<double> to_double(std::string_view number);

/// Unescapes a valid string without its quotes to UTF-8. A lone surrogate becomes U+FFFD.
[[nodiscard]] std::string unescape(std::string_view inner);

/// Returns the offset of the first byte that is no UTF-8 (RFC 3629: no surrogates, no overlong forms), or nothing.
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// Returns four bytes of text as one number. Precondition: the text has them.
[[nodiscard]] inline std::uint32_t four_bytes(std::string_view text, std::size_t at) {
  std::uint32_t bytes;
  std::memcpy(&bytes, text.data() + at, sizeof(bytes));
  return bytes;
}
/// Compares two short names. Library algorithms call memcmp, which costs as much as the rest of the search for a name.
[[nodiscard]] inline bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size() || a.empty()) return a.size() == b.size();
  if (a.size() < 4) return a.front() == b.front() && a[a.size() / 2] == b[a.size() / 2] && a.back() == b.back();
  if (a.size() < 8) return four_bytes(a, 0) == four_bytes(b, 0) && four_bytes(a, a.size() - 4) == four_bytes(b, a.size() - 4);
  for (std::size_t at = 8; at < a.size(); at += 8)
    if (eight_bytes(a, at - 8) != eight_bytes(b, at - 8)) return false;
  return eight_bytes(a, a.size() - 8) == eight_bytes(b, b.size() - 8);
}

/// Returns a key without escapes as it stands in the text; a null view if it has escapes or is very long.
[[nodiscard]] inline std::string_view plain_key(const Json& json, std::uint32_t id) {
  const Json::Entry& key = json.entry(id);
  return key.special() || key.is_double() ? std::string_view() : std::string_view(json.text().data() + key.place + 1, key.amount() - 2);
}

/// Describes the byte at `offset`, for messages: 'x', byte 0x07, the end of the text.
[[nodiscard]] std::string describe_byte(std::string_view text, std::size_t offset);

}  // namespace sinew::document
