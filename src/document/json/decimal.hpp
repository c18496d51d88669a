// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

#include "document/json/eight_bytes.hpp"

namespace sinew::document {

/// Computes digits / 10^fraction, rounded to the nearest double, ties to even. Precondition: `fraction` is at most `most_fraction`.
[[nodiscard]] double decimal_fraction(std::uint64_t digits, unsigned fraction);
inline constexpr unsigned most_fraction = 27;

/// Returns whether a character may follow a number.
[[nodiscard]] constexpr bool ends_number(char c) {
  return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

struct EverydayNumber {
  std::size_t end = 0;  ///< one after the number
  bool whole = false;   ///< an integer of at most eight digits: `integer`, otherwise `value`
  std::uint32_t integer = 0;
  double value = 0;
};

/// Reads a number without an exponent, with at most eight digits before the point and 19 in total (without leading zeros). Returns nothing
/// for other texts, which scan_number reads. `text[begin]` is '-' or a digit, followed by at least 48 bytes of text.
[[nodiscard]] inline std::optional<EverydayNumber> everyday_number(std::string_view text, std::size_t begin) {
  if (text.size() - begin < 48) return std::nullopt;
  const bool negative = text[begin] == '-';
  const std::size_t first = begin + negative;
  std::uint64_t bytes = eight_bytes(text, first);
  const unsigned count = leading_digits(bytes);
  if (count == 0 || (count > 1 && text[first] == '0')) return std::nullopt;
  EverydayNumber number{first + count};
  std::uint64_t digits = few_digits(bytes, count);
  if (text[number.end] != '.') {
    if (!ends_number(text[number.end])) return std::nullopt;
    number.whole = !negative;
    number.integer = static_cast<std::uint32_t>(digits);
    number.value = negative ? -static_cast<double>(digits) : 0;
    return number;
  }
  // The largest numbers to which this many digits can be appended in 64 bits.
  constexpr std::uint64_t room[] = {9'999'999'999'999'999'999u, 999'999'999'999'999'999, 99'999'999'999'999'999,
                                    9'999'999'999'999'999,      999'999'999'999'999,     99'999'999'999'999,
                                    9'999'999'999'999,          999'999'999'999,         99'999'999'999};
  constexpr std::uint64_t powers[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
  const std::size_t point = number.end++;
  for (; non_digits(bytes = eight_bytes(text, number.end)) == 0; number.end += 8) {
    if (digits > room[8] || number.end - point > most_fraction - 8) return std::nullopt;
    digits = digits * powers[8] + eight_digits(bytes);
  }
  if (const unsigned more = leading_digits(bytes); more != 0) {
    if (digits > room[more] || number.end - point > most_fraction - 8) return std::nullopt;
    digits = digits * powers[more] + few_digits(bytes, more);
    number.end += more;
  }
  const std::size_t fraction = number.end - point - 1;
  if (fraction == 0 || !ends_number(text[number.end])) return std::nullopt;
  const double value = decimal_fraction(digits, static_cast<unsigned>(fraction));
  number.value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | std::uint64_t{negative} << 63);
  return number;
}

}  // namespace sinew::document
