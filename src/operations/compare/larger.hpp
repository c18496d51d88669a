// SPDX-License-Identifier: MIT
#pragma once

namespace sinew::operations {

/// Whether a distance is larger by more than rounding: of places that are equally far away the first one is named, whatever the order of
/// sums.
[[nodiscard]] inline bool larger(double distance, double than) { return distance > than * (1 + 1e-4); }

}  // namespace sinew::operations
