// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

namespace sinew::operations {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Returns whether a distance is larger by more than rounding. So among equal distances the first one is reported, independent of the order
/// of sums.
[[nodiscard]] inline bool larger(double distance, double than) { return distance > than * (1 + 1e-4); }

}  // namespace sinew::operations
