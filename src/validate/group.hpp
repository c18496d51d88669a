// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/result.hpp"

namespace sinew::validate {

/// Replaces array indices and the names of vertex attributes in the pointer by *: "/nodes/*/rotation".
[[nodiscard]] std::string array_of(std::string_view pointer);

/// Sorts a list by severity and, within one severity, puts the first of each code before the others. Then cuts the list after `most`.
/// Without `most`, only sorts by severity. Returns whether something was cut.
template <class T, class FindingOf>
bool keep_different(std::vector<T>& list, std::optional<std::uint64_t> most, FindingOf finding_of) {
  std::set<std::string_view> seen;
  std::array<std::vector<T>, 8> ranks;  // by severity: first findings of a code, others
  for (T& item : list) {
    const Finding& finding = finding_of(item);
    const bool again = most && !seen.insert(finding.code).second;
    ranks[2 * static_cast<std::size_t>(finding.severity) + (again ? 1 : 0)].push_back(std::move(item));
  }
  list.clear();
  for (auto& rank : ranks) std::ranges::move(rank, std::back_inserter(list));
  const bool cut = most && list.size() > *most;
  if (cut) list.resize(*most);
  return cut;
}

}  // namespace sinew::validate
