// SPDX-License-Identifier: MIT
#include "console/joined.hpp"

#include <vector>

namespace app {

std::string joined(std::span<const std::string_view> parts, std::string_view between) {
  std::string text;
  for (const std::string_view& part : parts) (text += &part == parts.data() ? "" : between) += part;
  return text;
}

std::string joined(std::span<const std::string> parts, std::string_view between) {
  return joined(std::vector<std::string_view>(parts.begin(), parts.end()), between);
}

std::string joined(std::span<const std::size_t> numbers, std::string_view between) {
  std::vector<std::string> parts;
  for (const std::size_t number : numbers) parts.push_back(std::to_string(number));
  return joined(parts, between);
}

}  // namespace app
