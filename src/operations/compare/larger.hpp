// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

namespace sinew::operations {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Whether a distance is larger by more than rounding: of places that are equally far away the first one is named, whatever the order of
/// sums.
[[nodiscard]] inline bool larger(double distance, double than) { return distance > than * (1 + 1e-4); }

}  // namespace sinew::operations
