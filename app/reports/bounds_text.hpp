// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "command.hpp"
#include "console/json.hpp"

#include "sinew/bounds.hpp"

namespace app {

/// Computes bounds with a progress bar.
[[nodiscard]] sinew::Result<sinew::operations::Bounds> measure_bounds(const sinew::Model& model, sinew::operations::BoundsOptions options,
                                                                      const Common& common);

/// A table of boxes. Numbers have six digits, rounded away from the inside.
[[nodiscard]] std::string bounds_text(const sinew::Model& model, const sinew::operations::Bounds& bounds, const std::string& file,
                                      const Terminal& terminal);
/// {"file", "dimension", "all", "rest", "clips", "instances", "joints"}; an empty box is null.
[[nodiscard]] Json bounds_json(const sinew::Model& model, const sinew::operations::Bounds& bounds, const std::string& file);

}  // namespace app
