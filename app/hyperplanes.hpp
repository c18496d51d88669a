// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sinew/result.hpp"
#include "sinew/slice.hpp"

namespace app {

/// How options say where a hyperplane is, for help texts.
inline constexpr const char* hyperplane_help = "an axis (x y z w, then v u t … backwards, or a number: x is 0) and a coordinate on it";

/// "w=0.3" or "3=0.3". Failure::usage with the text that is wrong.
[[nodiscard]] sinew::Result<std::vector<sinew::operations::AxisCut>> parse_cuts(const std::vector<std::string>& texts);

/// Of such texts, one after the other: axes are those of the whole model, each cut once; the hyperplanes are each in the space of the
/// slice before, as operations::slice wants them. Failure::usage with the text that is wrong.
[[nodiscard]] sinew::Result<std::vector<sinew::operations::Hyperplane>> parse_hyperplanes(const std::vector<std::string>& texts,
                                                                                          std::size_t dimension);

}  // namespace app
