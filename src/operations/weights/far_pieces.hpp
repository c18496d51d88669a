// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "operations/weights/weight_field.hpp"

namespace sinew::operations::weights {

/// Gives weights to pieces that have none, from pieces of the same clothes within `reach` that have some: a small piece (a button) becomes
/// rigid, a larger one copies the nearest points. `weighted`: by piece; gets those that now have weights.
void copy_from_neighbours(const WeldedMesh& mesh, double reach, std::vector<std::uint8_t>& weighted, WeightField& field, unsigned threads);

/// Keeps the `most` largest weights of at least `least`, and makes the sum 1. Equal weights: the first ones stay. Returns the cut weights.
std::vector<double> cut_weights(std::span<double> row, std::size_t most, double least);

}  // namespace sinew::operations::weights
