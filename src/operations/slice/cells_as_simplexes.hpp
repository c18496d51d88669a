// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

/// Returns whether a surface has cells without simplexes: a topology alone.
[[nodiscard]] inline bool only_cells(const Surface& surface) { return surface.topology && surface.primitive < Primitive::simplexes; }

/// Returns the model with simplexes (simplexes_from_topology) instead of cells, for surfaces with a topology alone, in every mesh without a
/// defect. Corner attributes of cells become those of the simplexes, blend offsets included. `losses`: cells that cannot be cut.
/// Failure::limit as simplexes_from_topology.
[[nodiscard]] Result<Model> cells_as_simplexes(const Model& model, FindingSink& losses);

}  // namespace sinew::operations
