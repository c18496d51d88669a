// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "operations/optimize/steps.hpp"

namespace sinew::operations {

/// Stores positions of `model` as integers where the rounding stays within the input's distance. The bind matrices of skins, or the
/// transform of the only node with the mesh, then convert them back. Returns the number of meshes.
std::size_t quantize_positions(const StepInput& input, Model& model);

}  // namespace sinew::operations
