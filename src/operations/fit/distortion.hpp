// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "operations/weights/surface_transfer.hpp"

/// How much fitting changed the form of a surface: before and after it has the same vertices, triangles and influences.
namespace sinew::operations::weights {

/// Returns the factor by which a tenth of the edges were stretched or shrunk more than the middle one; 1 without edges.
[[nodiscard]] double unevenness(const WeightedSurface& was, const WeightedSurface& is);

/// Folds at one bone.
struct Folds {
  std::uint32_t joint = 0;
  double share = 0;  ///< of the edges between two triangles that follow this joint most
};

/// Returns the joint at which the largest share of the edges was folded: by 60 degrees or more. Joints with few edges do not count.
[[nodiscard]] Folds most_folded(const WeightedSurface& was, const WeightedSurface& is);

}  // namespace sinew::operations::weights
