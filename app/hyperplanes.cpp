// SPDX-License-Identifier: MIT
#include "hyperplanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "command.hpp"

namespace app {

namespace {

// G4MF's letters: the alphabet runs backwards behind w.
constexpr std::string_view letters = "xyzwvutsrqponmlk";

std::optional<std::size_t> axis_of(std::string_view name) {
  if (name.size() == 1)
    if (const std::size_t place = letters.find(static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])))); place != letters.npos)
      return place;
  std::size_t number = 0;
  const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (code != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

std::string axes_of(std::size_t dimension) {
  std::string list;
  for (std::size_t axis = 0; axis < dimension; ++axis)
    list += (axis == 0 ? "" : " ") + (axis < letters.size() ? std::string(1, letters[axis]) : std::to_string(axis));
  return list;
}

sinew::Unexpected wrong(std::string_view text, std::string_view why) {
  return sinew::Unexpected(usage_error(fmt::format("\"{}\": {}", text, why)));
}

}  // namespace

sinew::Result<std::vector<sinew::ops::Hyperplane>> parse_hyperplanes(const std::vector<std::string>& texts, std::size_t dimension) {
  std::vector<sinew::ops::Hyperplane> planes;
  std::vector<std::size_t> cut;
  for (const std::string_view text : texts) {
    const std::size_t equals = text.find('=');
    const auto axis = axis_of(text.substr(0, equals));
    if (equals == text.npos || !axis) return wrong(text, "expected an axis and where to cut it, such as w=0.3");
    const std::string_view number = text.substr(equals + 1);
    double offset = 0;
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), offset);
    if (code != std::errc{} || end != number.data() + number.size() || !std::isfinite(offset))
      return wrong(text, fmt::format("\"{}\" is not a finite number", number));
    if (*axis >= dimension) return wrong(text, fmt::format("the model has the axes {}", axes_of(dimension)));
    if (std::ranges::find(cut, *axis) != cut.end()) return wrong(text, "that axis is cut already");
    if (cut.size() + 1 == dimension) return wrong(text, "no dimension would be left");
    const auto before = static_cast<std::size_t>(std::ranges::count_if(cut, [&](std::size_t other) { return other < *axis; }));
    planes.push_back({*axis - before, offset, {}});
    cut.push_back(*axis);
  }
  return planes;
}

}  // namespace app
