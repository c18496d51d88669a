// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "operations/fit/surfaces.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations::weights {

/// What bringing clothes onto the surface of a body did. Lengths are relative to the diagonal of the body.
struct SurfaceFit {
  std::size_t points = 0;         ///< places of the clothes' vertices
  std::size_t inside_before = 0;  ///< that lay below the surface of the body
  std::size_t inside = 0;         ///< that still do
  double deepest_before = 0, deepest = 0;
  double largest_move = 0;
};

/// Moves the vertices of skinned clothes onto the body's surface: the girths first, then everything that lies inside the body or closer to
/// its surface than the clearance, with all layers above it; normals and tangents turn with the surface of the clothes. Clothes are in the
/// body's rest pose, with bind matrices that put vertices where they are stored. `rigged`: of the body. `twin`: by node of the clothes, the
/// node of the body. Without a skinned surface of the body nothing moves.
[[nodiscard]] Result<SurfaceFit> fit_surface(const Model& body, const RiggedSurface& rigged, std::span<const Index> twin, unsigned threads,
                                             Model& clothes);

}  // namespace sinew::operations::weights
