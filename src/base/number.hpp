// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace sinew {

/// Parses a whole text as a decimal number (whole numbers: of another base): no spaces and no "+". Returns nothing for another text and for
/// a number that T cannot store. The texts "inf" and "nan" are numbers, too.
template <std::integral T>
[[nodiscard]] std::optional<T> number_in(std::string_view text, int base = 10) {
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), last, value, base);
  return code == std::errc{} && end == last ? std::optional(value) : std::nullopt;
}
template <std::floating_point T>
[[nodiscard]] std::optional<T> number_in(std::string_view text) {
  T value{};
  const char* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), last, value);
  return code == std::errc{} && end == last ? std::optional(value) : std::nullopt;
}

}  // namespace sinew
