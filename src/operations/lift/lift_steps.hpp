// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sinew/lift.hpp"

namespace sinew::operations {

/// By mesh and surface: the corner of the old surface below each corner of the new one.
using SurfaceCorners = std::map<Index, std::vector<std::vector<std::uint32_t>>>;

/// As lift.
[[nodiscard]] Result<Model> lift_model(const Model& model, const LiftOptions& options, LiftReport& report, SurfaceCorners& corners,
                                       FindingSink& losses);

}  // namespace sinew::operations
