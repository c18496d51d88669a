// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/result.hpp"
#include "sinew/slice.hpp"

namespace sinew::ops {

/// Where to cut across an axis of a model.
struct AxisCut {
  std::string axis;   ///< "x" "y" "z" "w", then the alphabet backwards: "v" "u" …, in either case; or the number, from "0"
  double offset = 0;  ///< along the axis
};

/// Hyperplanes for `slice`, one for each cut: axes are those of the whole model of `dimension`, each cut once; a hyperplane is in the space
/// of the slice before. Failure::usage names the cut that makes no sense: no such axis, twice the same, no dimension left, not finite.
[[nodiscard]] Result<std::vector<Hyperplane>> hyperplanes_across(std::span<const AxisCut> cuts, std::size_t dimension);

}  // namespace sinew::ops
