// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "operations/weights/surface_transfer.hpp"

/// How much fitting changed the form of a surface: before and after it has the same vertices, triangles and influences.
namespace sinew::operations::weights {

/// Returns the factor by which a tenth of the edges were stretched or shrunk more than the middle one; 1 without edges.
[[nodiscard]] double unevenness(const WeightedSurface& was, const WeightedSurface& is);

/// Folds at one place.
struct Folds {
  std::uint32_t joint = 0;
  double share = 0;   ///< of the edges between two triangles there
  double beyond = 0;  ///< that share, relative to the one from which clothes look crumpled

  void add(std::uint32_t at, double part, double far) {
    if (part / far > beyond) *this = {at, part, part / far};
  }
};

/// Returns the place at which most of the edges were folded, by 60 degrees or more: all that follow one joint most, or those of a patch,
/// such as the rim of a hood. Places with few edges do not count.
[[nodiscard]] Folds most_folded(const WeightedSurface& was, const WeightedSurface& is);

}  // namespace sinew::operations::weights
