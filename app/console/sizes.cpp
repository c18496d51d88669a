// SPDX-License-Identifier: MIT
#include "console/sizes.hpp"

#include <charconv>
#include <cmath>

namespace app {

namespace {

/// Returns the power of 1024 of a unit.
std::optional<int> power_of(std::string_view unit) {
  const auto upper = [&](std::size_t i) { return static_cast<char>(unit[i] & ~0x20); };
  const std::size_t power = unit.empty() ? 0 : std::string_view("BKMGTPE").find(upper(0));
  if (power == std::string_view::npos) return std::nullopt;
  const bool bytes = unit.size() == 2 && upper(1) == 'B';
  const bool binary = unit.size() == 3 && upper(1) == 'I' && upper(2) == 'B';
  if (unit.size() > 1 && (power == 0 || (!bytes && !binary))) return std::nullopt;
  return static_cast<int>(power);
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (code != std::errc{}) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  const auto power = power_of(unit);
  if (!power) return std::nullopt;
  const double bytes = std::ldexp(value, 10 * *power);
  if (!(bytes >= 1) || !(bytes < 0x1p64)) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace app
