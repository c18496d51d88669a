// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>

namespace app {

/// Parses a whole text as a finite decimal number (whole numbers: of another base), without spaces. One "+" may stand before it. Returns
/// nothing for another text and for a number that T cannot store.
template <class T>
[[nodiscard]] std::optional<T> number_in(std::string_view text, [[maybe_unused]] int base = 10) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T value{};
  const char* const last = text.data() + text.size();
  std::from_chars_result read;
  if constexpr (std::integral<T>)
    read = std::from_chars(text.data(), last, value, base);
  else
    read = std::from_chars(text.data(), last, value);
  if (read.ec != std::errc{} || read.ptr != last) return std::nullopt;
  if constexpr (std::floating_point<T>)
    if (!std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace app
