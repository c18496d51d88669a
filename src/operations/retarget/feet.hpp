// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "operations/retarget/transfer.hpp"

#include "sinew/retarget.hpp"

namespace sinew::operations {

/// Measures how far the feet of the target slide where those of the motion stand, 60 times per second (docs/retarget.md), and writes it
/// into `out`. `made`: the clip of the target.
void measure_feet(const Transfer& transfer, const Clip& from, const Clip& made, RetargetedClip& out);

/// Measures how far vertices of the target go below the lowest one at rest, 30 times per second. Failure: the target cannot be deformed.
[[nodiscard]] Result<> measure_depth(const Transfer& transfer, const Clip& made, unsigned threads, RetargetedClip& out);

/// Draws both skeletons at the moment at which the target goes deepest, or at which a foot slides most.
void draw_worst(const Transfer& transfer, const Clip& from, const Clip& made, RetargetedClip& out);

}  // namespace sinew::operations
