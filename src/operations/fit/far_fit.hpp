// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "operations/fit/fit.hpp"

#include "sinew/result.hpp"

namespace sinew::operations {

/// The figure that clothes were made for.
enum class WearerGiven : std::uint8_t { none, same_file, made_for };

/// Warns where fitted clothes probably look bad (SINEW_MERGE_FAR_FIT).
void report_far_fit(const FitMeasures& done, WearerGiven wearer, FindingSink& losses);

}  // namespace sinew::operations
