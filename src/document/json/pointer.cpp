// SPDX-License-Identifier: MIT
#include "document/json/pointer.hpp"

#include <algorithm>

#include "base/number.hpp"

namespace sinew::document {

std::string PointerStep::name() const {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '~' && i + 1 < text.size();
    name += !escape ? text[i] : text[++i] == '1' ? '/' : '~';
  }
  return name;
}

std::optional<std::uint32_t> PointerStep::index() const {
  return text.size() > 1 && text.front() == '0' ? std::nullopt : number_in<std::uint32_t>(text);
}

std::vector<PointerStep> steps_of(std::string_view pointer) {
  std::vector<PointerStep> steps;
  if (!pointer.starts_with('/')) return steps;
  for (std::size_t at = 0; at < pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
    steps.push_back({pointer.substr(at + 1, end - at - 1), end});
    at = end;
  }
  return steps;
}

}  // namespace sinew::document
