// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/model.hpp"

namespace sinew {

/// The nodes of a second file that is appended to a first one. Indices are those of the result: nodes of the first file keep their indices;
/// kept nodes of the second follow in order.
struct Concatenation {
  std::vector<Index> meaning;      ///< for each node of the second file: the target of references to it; none: no target
  std::vector<Index> place;        ///< for each: its index in the result; none: left out
  std::vector<Index> parent;       ///< for each with a place; none: a root
  std::vector<Index> roots;        ///< roots, in the result, to add to the first file's scene
  std::vector<std::string> names;  ///< for each: its new name; empty: the old one
  std::vector<Index> clips;        ///< kept clips of the second file
  std::string prefix;              ///< prefix for names of the second file that the first one uses

  /// Returns the nodes of the result that come from the second file.
  [[nodiscard]] std::size_t added() const {
    std::size_t count = 0;
    for (const Index index : place) count += index != none ? 1 : 0;
    return count;
  }
};

}  // namespace sinew
