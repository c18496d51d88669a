// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "operations/fit/soles.hpp"
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
  std::size_t close = 0;    ///< places that lie close to the wearer
  std::size_t far_off = 0;  ///< of them, those that lie much higher above the body
  bool followed = false;    ///< the shapes of the wearer and the body say where they lie
};

/// The figure that clothes were made for, in the rest pose of the body.
struct Wearer {
  Model model;
  std::vector<Index> twin;  ///< by node: the node of the body, or none
  bool dressed = false;     ///< its file has the clothes, too: what lies inside of it there may lie inside of the body
};

/// Moves the vertices of skinned clothes onto the body's surface: the girths first, then everything that lies inside the body or closer to
/// its surface than the clearance, with all layers above it; normals and tangents turn with the surface of the clothes. Clothes are in the
/// body's rest pose, with bind matrices that put vertices where they are stored. `rigged`: of the body. `twin`: by node of the clothes, the
/// node of the body. `wearer`, if given, tells the shapes (follow_shape) instead of the girths, where it has a surface. Without a skinned
/// surface of the body nothing moves. `stance`: of the clothes. `made`: by vertex of the skinned clothes, its place before they were posed,
/// in the size of the body.
[[nodiscard]] Result<SurfaceFit> fit_surface(const Model& body, const RiggedSurface& rigged, std::span<const Index> twin,
                                             std::span<const Vec> made, const Wearer* wearer, const Stance& stance, unsigned threads,
                                             Model& clothes);

}  // namespace sinew::operations::weights
