// SPDX-License-Identifier: MIT
#pragma once

#include "operations/fit/fit.hpp"

#include "sinew/result.hpp"

namespace sinew::operations {

/// Warns where fitted clothes probably look bad (SINEW_MERGE_FAR_FIT). `wearer`: the figure that they were made for is known.
void report_far_fit(const FitMeasures& done, bool wearer, FindingSink& losses);

}  // namespace sinew::operations
