// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/message.hpp"

namespace sinew {

/// Makes names unique. Stores the next number of each name, so that a thousand equal names take only a thousand steps.
class UniqueNames {
 public:
  /// Marks a name as used.
  void add(std::string_view name) {
    if (!contains(name)) next_.emplace(name, 2);
  }
  [[nodiscard]] bool contains(std::string_view name) const { return next_.contains(name); }

  /// Returns `wanted` or, if it is used, "WANTED_2" or the next free number, and marks it as used. Empty stays empty.
  [[nodiscard]] std::string take(std::string_view wanted) {
    if (wanted.empty()) return {};
    const auto known = next_.find(wanted);
    if (known == next_.end()) return next_.emplace(wanted, 2).first->first;
    std::string name;
    do name = format_text("{}_{}", wanted, known->second++);
    while (!next_.emplace(name, 2).second);
    return name;
  }

 private:
  std::map<std::string, std::size_t, std::less<>> next_;  ///< by name: the number to try next
};

}  // namespace sinew
