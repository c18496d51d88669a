// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/result.hpp"
#include "sinew/slice.hpp"

namespace app {

/// The syntax of hyperplanes, for help texts.
inline constexpr const char* hyperplane_help = "an axis (x y z w, then v u t … backwards, or a number: x is 0) and a coordinate on it";

/// Parses "w=0.3" or "3=0.3". Failure::usage names the wrong text.
[[nodiscard]] sinew::Result<std::vector<sinew::operations::AxisCut>> parse_cuts(const std::vector<std::string>& texts);

/// Parses several such texts: axes are those of the whole model, each cut once; each hyperplane is in the space of the
/// previous slice, as operations::slice expects. Failure::usage names the wrong text.
[[nodiscard]] sinew::Result<std::vector<sinew::operations::Hyperplane>> parse_hyperplanes(const std::vector<std::string>& texts,
                                                                                          std::size_t dimension);

}  // namespace app
