// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "math/dimension.hpp"

namespace sinew {

/// A box along the axes that grows; empty at first.
struct Extent {
  double low[max_dimension], high[max_dimension];  ///< infinite on axes that nothing was added to

  Extent() {
    std::fill_n(low, max_dimension, std::numeric_limits<double>::infinity());
    std::fill_n(high, max_dimension, -std::numeric_limits<double>::infinity());
  }
  [[nodiscard]] bool empty() const { return low[0] > high[0]; }
  /// Adds a coordinate; NaN changes nothing.
  void add(std::size_t axis, double value) { add(axis, value, value); }
  void add(std::size_t axis, double least, double most) {
    low[axis] = std::min(low[axis], least);
    high[axis] = std::max(high[axis], most);
  }
  void add(const Extent& other) {
    for (std::size_t i = 0; i < max_dimension; ++i) add(i, other.low[i], other.high[i]);
  }
  [[nodiscard]] double diagonal(std::size_t dimension) const {
    double squares = 0;
    for (std::size_t i = 0; i < dimension; ++i)
      if (high[i] > low[i]) squares += (high[i] - low[i]) * (high[i] - low[i]);
    return std::sqrt(squares);
  }
};

}  // namespace sinew
