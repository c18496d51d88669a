// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "sinew/model.hpp"

namespace sinew {

/// Finds many objects by name or index: the results of find_by_name, without a search. The names must outlive the index.
class NameIndex {
 public:
  /// The arguments are those of find_by_name.
  NameIndex(std::vector<NamedThing> things, std::size_t count, std::string_view what);

  [[nodiscard]] Result<Index> find(std::string_view wanted) const;

 private:
  std::vector<NamedThing> things_;
  std::size_t count_;
  std::string_view what_;
  std::unordered_map<std::string_view, Index> unique_;  ///< `none`: several things have the name
};

/// Returns the objects of a list that have names.
template <class List>
std::vector<NamedThing> named_things(const List& list) {
  std::vector<NamedThing> things;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!list[i].name.empty()) things.push_back({list[i].name, static_cast<Index>(i)});
  return things;
}

}  // namespace sinew
