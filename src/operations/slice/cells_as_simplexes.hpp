// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Whether a surface has cells that no simplexes fill: a topology alone.
[[nodiscard]] inline bool only_cells(const Surface& surface) { return surface.topology && surface.primitive < Primitive::simplexes; }

/// The model with simplexes (simplexes_from_topology) in place of the cells of surfaces that have a topology alone, in every mesh without
/// defect; what is stored for corners of cells becomes that of the simplexes' corners, blend offsets included. `losses`: cells that
/// cannot be cut. Failure::limit as simplexes_from_topology.
[[nodiscard]] Result<Model> cells_as_simplexes(const Model& model, FindingSink& losses);

}  // namespace sinew::operations
