// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::deform {

/// values + Σ amount · offset of any attribute, as packed floats (normalised integers in their range); nothing else is done to them.
/// For what does not move with joints: texture coordinates, colours. `amounts`: one per shape, missing ones 0.
[[nodiscard]] std::vector<float> blend_attribute(const Attribute& attribute, std::span<const double> amounts);

}  // namespace sinew::deform
