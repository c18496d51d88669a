// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "document/json/eight_bytes.hpp"

namespace sinew::document {

/// The double nearest to a sound JSON number of an everyday form: up to 19 digits (leading zeros count), no exponent. Nothing for others.
[[nodiscard]] std::optional<double> everyday_double(std::string_view number);

/// One past a JSON number of such a form, of any length below 100 digits, with a character behind it that may follow a value; nothing
/// for all others: scan_number tells what they are. `text[begin]` is '-' or a digit.
[[nodiscard]] inline std::optional<std::size_t> everyday_number_end(std::string_view text, std::size_t begin) {
  const std::size_t first = begin + (text[begin] == '-');
  std::size_t end = skip_digits(text, first);
  if (end == first || end - first >= 100 || (text[first] == '0' && end - first > 1)) return std::nullopt;
  if (end < text.size() && text[end] == '.') {
    const std::size_t fraction = end + 1;
    end = skip_many_digits(text, fraction);
    if (end == fraction) return std::nullopt;
  }
  if (end == text.size()) return std::nullopt;
  switch (text[end]) {
    case ',':
    case ']':
    case '}':
    case ' ':
    case '\n':
    case '\r':
    case '\t':
      return end;
    default:
      return std::nullopt;
  }
}

}  // namespace sinew::document
