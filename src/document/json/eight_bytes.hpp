// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/ascii.hpp"

namespace sinew::document {

/// Returns eight bytes of text as one number, the first byte lowest. Precondition: the text has them.
[[nodiscard]] inline std::uint64_t eight_bytes(std::string_view text, std::size_t at) {
  std::uint64_t bytes;
  std::memcpy(&bytes, text.data() + at, sizeof(bytes));
  return bytes;
}

/// Returns the highest bit of each byte that is no digit.
[[nodiscard]] inline std::uint64_t non_digits(std::uint64_t bytes) {
  const std::uint64_t values = bytes ^ 0x3030303030303030;  // digits become 0 to 9
  return (((values & 0x7F7F7F7F7F7F7F7F) + 0x7676767676767676) | values) & 0x8080808080808080;
}

/// Returns the number of leading digits.
[[nodiscard]] inline unsigned leading_digits(std::uint64_t bytes) {
  return static_cast<unsigned>(std::countr_zero(non_digits(bytes))) / 8;  // 64 (no other byte) gives 8
}

/// Converts eight digits: pairs, then fours, then all (three multiplications).
[[nodiscard]] inline std::uint64_t eight_digits(std::uint64_t bytes) {
  const std::uint64_t values = bytes & 0x0F0F0F0F0F0F0F0F;
  const std::uint64_t pairs = ((values * ((10 << 8) + 1)) >> 8) & 0x00FF00FF00FF00FF;
  const std::uint64_t fours = ((pairs * ((100 << 16) + 1)) >> 16) & 0x0000FFFF0000FFFF;
  return (fours * ((std::uint64_t{10'000} << 32) + 1)) >> 32;
}

/// Converts the first 1 to 8 digits.
[[nodiscard]] inline std::uint64_t few_digits(std::uint64_t bytes, unsigned count) { return eight_digits(bytes << (64 - 8 * count)); }

/// Returns the number of leading plain characters of a string: all before a quote, a backslash or a control character.
[[nodiscard]] inline unsigned leading_plain(std::uint64_t bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
  // The lowest set bit is correct, because only a byte that was found borrows from the next one. XOR with 0x02 turns a quote (0x22) into
  // 0x20, directly above the results of control characters, and no other byte into 0x20.
  const std::uint64_t quote_or_control = (bytes ^ ones * 0x02) - ones * 0x21;
  const std::uint64_t backslash = (bytes ^ ones * '\\') - ones;
  const std::uint64_t others = (quote_or_control | backslash) & ~bytes & highs;
  return static_cast<unsigned>(std::countr_zero(others)) / 8;
}

/// Returns the position after the digits that begin at `at`.
[[nodiscard]] inline std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

/// Returns a position after plain characters of a string. Checks eight bytes at a time, so the last few may remain.
[[nodiscard]] inline std::size_t skip_plain(std::string_view text, std::size_t at) {
  while (text.size() - at >= 8) {
    const unsigned count = leading_plain(eight_bytes(text, at));
    at += count;
    if (count < 8) break;
  }
  return at;
}

}  // namespace sinew::document
