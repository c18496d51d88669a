// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace sinew {

/// Disjoint sets: a forest whose paths are halved on every search. The first member identifies a set, so the result does not depend on the
/// order of joins.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : first_(count) { std::iota(first_.begin(), first_.end(), std::size_t{0}); }

  /// Returns the first member of the set that contains `thing`.
  [[nodiscard]] std::size_t find(std::size_t thing) {
    while (first_[thing] != thing) thing = first_[thing] = first_[first_[thing]];
    return thing;
  }
  /// Joins two sets; returns false if they were already one.
  bool join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    first_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

 private:
  std::vector<std::size_t> first_;
};

}  // namespace sinew
