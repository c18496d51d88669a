// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "document/json/eight_bytes.hpp"

namespace sinew::document {

/// The double nearest to a sound JSON number without an exponent, from `begin` to `end` in the text: what follows it may be loaded too.
/// Nothing where it has more than 19 digits (leading zeros count).
[[nodiscard]] std::optional<double> everyday_double(std::string_view text, std::size_t begin, std::size_t end);

/// Whether a character may follow a number.
[[nodiscard]] constexpr bool ends_number(char c) {
  return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// One past a JSON number without an exponent, with at most 16 digits before the point and 24 behind it, and at least 48 bytes of text from
/// `begin` on; nothing for all others: scan_number tells what they are. `text[begin]` is '-' or a digit.
[[nodiscard]] inline std::optional<std::size_t> everyday_number_end(std::string_view text, std::size_t begin) {
  if (text.size() - begin < 48) return std::nullopt;
  const auto skip = [&](std::size_t& at, int loads) {
    for (unsigned count = 8; count == 8 && loads > 0; --loads, at += count) count = leading_digits(eight_bytes(text, at));
  };
  const std::size_t first = begin + (text[begin] == '-');
  std::size_t end = first;
  skip(end, 2);
  if (end == first || (text[first] == '0' && end - first > 1)) return std::nullopt;
  if (text[end] == '.') {
    const std::size_t fraction = ++end;
    skip(end, 3);
    if (end == fraction) return std::nullopt;
  }
  if (!ends_number(text[end])) return std::nullopt;
  return end;
}

}  // namespace sinew::document
