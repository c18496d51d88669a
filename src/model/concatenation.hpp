// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/model.hpp"

namespace sinew {

/// Where the nodes of a second file go when it is appended to a first one. Nodes are numbered as in the whole: those of the first file
/// keep their indices, and those of the second that stay follow in their order.
struct Concatenation {
  std::vector<Index> meaning;      ///< of each node of the second file: what references to it mean, in the whole; none: nothing
  std::vector<Index> place;        ///< of each: its own index in the whole; none: it is left out
  std::vector<Index> parent;       ///< of each that has a place; none: a root
  std::vector<Index> roots;        ///< in the whole: those among them that the first file's scene shows
  std::vector<std::string> names;  ///< of each: its new name; empty: the old one
  std::vector<Index> clips;        ///< of the second file that stay
  std::string prefix;              ///< before names of the second file that the first has too

  /// Nodes of the whole that did not stand in the first file.
  [[nodiscard]] std::size_t added() const {
    std::size_t count = 0;
    for (const Index index : place) count += index != none ? 1 : 0;
    return count;
  }
};

}  // namespace sinew
