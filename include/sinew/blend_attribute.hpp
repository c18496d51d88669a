// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::deform {

/// values + Σ amount · offset of any attribute, as packed floats (normalised integers in their range); nothing else is done to them.
/// For what does not move with joints: texture coordinates, colours. `amounts`: one per shape, missing ones 0.
[[nodiscard]] std::vector<float> blend_attribute(const Attribute& attribute, std::span<const double> amounts);

/// The same with one row for each of `rows` vertices or corners: values that several share are repeated (Attribute::index), surplus ones
/// left out. Precondition: the attribute has a value for each.
[[nodiscard]] std::vector<float> blend_rows(const Attribute& attribute, std::span<const double> amounts, std::size_t rows);

}  // namespace sinew::deform
