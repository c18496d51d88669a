// SPDX-License-Identifier: MIT
#include "reports/not_covered.hpp"

#include <fmt/format.h>

#include "console/terminal.hpp"

namespace app {

Json not_covered_json(const std::vector<sinew::NotCovered>& list) {
  Json rows = Json::array();
  for (const sinew::NotCovered& one : list) rows.push_back({{"pointer", one.pointer}, {"what", one.what}});
  return rows;
}

std::string not_covered_text(const std::vector<sinew::NotCovered>& list) {
  std::string text;
  for (const sinew::NotCovered& one : list) text += fmt::format("  not covered: {}: {}\n", printable(one.pointer), printable(one.what));
  return text;
}

}  // namespace app
