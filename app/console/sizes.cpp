// SPDX-License-Identifier: MIT
#include "console/sizes.hpp"

#include <algorithm>
#include <cmath>

#include "console/number.hpp"

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
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto value = number_in<double>(text.substr(0, end));
  if (!value) return std::nullopt;
  std::string_view unit = text.substr(end);
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  const auto power = power_of(unit);
  if (!power) return std::nullopt;
  const double bytes = std::ldexp(*value, 10 * *power);
  if (!(bytes >= 1) || !(bytes < 0x1p64)) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace app
