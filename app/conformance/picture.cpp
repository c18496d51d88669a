// SPDX-License-Identifier: MIT
#include "conformance/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace app {

namespace {

constexpr double side = 160, margin = 12;  // pixels

/// The two axes of the picture, in ascending order.
std::array<std::size_t, 2> axes_of(std::span<const double> expected, std::span<const double> found, std::size_t width) {
  std::vector<double> apart(width);
  for (std::size_t i = 0; i < expected.size(); ++i) apart[i % width] += (found[i] - expected[i]) * (found[i] - expected[i]);
  std::vector<std::size_t> order(width);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::greater{}, [&](std::size_t axis) { return std::pair(apart[axis], width - axis); });
  return {std::min(order[0], order[1]), std::max(order[0], order[1])};
}

}  // namespace

std::string picture_of(const ConformanceCase& wanted, const ConformanceResult& result) {
  const std::size_t width = wanted.width(), size = wanted.rows() * width;
  if (width < 2 || result.rows.empty() || result.rows.size() != size) return {};
  const std::span<const double> expected = std::span(wanted.expected.values).subspan(result.moment * size, size);
  const auto axes = axes_of(expected, result.rows, width);
  std::array<double, 2> low, high;
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  for (const std::span<const double> rows : {expected, std::span<const double>(result.rows)})
    for (std::size_t i = 0; i < size; i += width)
      for (std::size_t k = 0; k < 2; ++k) {
        low[k] = std::min(low[k], rows[i + axes[k]]);
        high[k] = std::max(high[k], rows[i + axes[k]]);
      }
  const double extent = std::max({high[0] - low[0], high[1] - low[1], 1e-9});
  const auto place = [&](std::span<const double> rows, std::size_t i) {
    const double x = (rows[i + axes[0]] - low[0]) / extent, y = (rows[i + axes[1]] - low[1]) / extent;
    return fmt::format("{:.1f} {:.1f}", margin + x * (side - 2 * margin), side - margin - y * (side - 2 * margin));
  };
  std::string wants, gets, moves;
  for (std::size_t i = 0; i < size; i += width) {
    const std::string from = place(expected, i), to = place(result.rows, i);
    wants += "M" + from + "h0";
    gets += "M" + to + "h0";
    if (from != to) moves += "M" + from + "L" + to;
  }
  return fmt::format(
      "<svg width=\"{0}\" height=\"{0}\" role=\"img\" aria-label=\"axis {1} to the right, axis {2} up\"><path class=\"wanted\" "
      "d=\"{3}\"/><path class=\"moved\" d=\"{5}\"/><path class=\"got\" d=\"{4}\"/></svg>",
      side, axes[0], axes[1], wants, gets, moves);
}

}  // namespace app
