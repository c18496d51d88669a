// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace sinew {

/// Which of several things belong together: a forest with paths halved on every search. A set is named for its first thing, so that the
/// outcome does not depend on the order of joins.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : first_(count) { std::iota(first_.begin(), first_.end(), std::size_t{0}); }

  /// The first thing of the set that a thing is in.
  [[nodiscard]] std::size_t find(std::size_t thing) {
    while (first_[thing] != thing) thing = first_[thing] = first_[first_[thing]];
    return thing;
  }
  /// True where they were apart.
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
