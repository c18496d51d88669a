// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "operations/fit/surfaces.hpp"

#include "sinew/model.hpp"

namespace sinew::operations::weights {

/// A figure at rest, in the rest pose of the body, and what its bones are in the body.
struct Figure {
  const Model& model;
  const RiggedSurface& rigged;
  const OuterSurface& outer;
  std::vector<Index> twin;  ///< by node: the node of the body, or none
};

/// Moves the vertices of clothes that lie on the surface of `wearer`, as this surface turns into that of the body: around a bone as far as
/// the body's surface lies from the wearer's, seen from the bone; at the last bone of a chain (a head, a hand) by the stretch that fits
/// the one surface to the other best. Vertices follow by their weights. `twin`: by node of the clothes. Returns false, and moves nothing,
/// if the wearer has no surface at the bones that move most of the clothes.
[[nodiscard]] bool follow_shape(const Figure& body, const Figure& wearer, std::span<const Index> twin, const Model& clothes_model,
                                unsigned threads, RiggedSurface& clothes);

}  // namespace sinew::operations::weights
