// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"

namespace sinew {

/// Returns whether a key of the track has the time of the key before it (in float32 if `rounded`). That is a jump: before it the first of
/// these keys counts, from then on the last one.
[[nodiscard]] bool has_equal_times(const Track& track, bool rounded = false);

/// Returns the track with strictly increasing times and the same motion: of several keys at one time, the first moves to the nearest
/// earlier number if it has an effect, the last stays, and those between them go. Precondition: the times do not decrease.
[[nodiscard]] Track with_increasing_times(const Track& track);

}  // namespace sinew
