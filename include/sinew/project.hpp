// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/affine.hpp"
#include "sinew/bake.hpp"
#include "sinew/finding.hpp"
#include "sinew/geometry.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::ops {

// Pictures of N dimensions: points are seen in three, the other axes (the hidden ones: w, then v, …) by perspective and colour; of a mesh
// one sees its edges.

enum class ProjectionKind : std::uint8_t {
  perspective,  ///< what is nearer to an eye on a hidden axis is larger; the factors of several hidden axes multiply
  orthographic  ///< hidden axes are left out
};

struct Projection {
  ProjectionKind kind = ProjectionKind::perspective;
  double distance = 0;         ///< of the eyes from the centre, along their axes, in radii; 0: three. More than one
  std::vector<double> center;  ///< N numbers; empty: the middle of what is projected. It stays where it is
  double radius = 0;           ///< of a ball around the centre that holds everything; 0: that of what is projected
  Affine view;                 ///< turns the space around the centre first (its linear part counts); dimension 0: not
};

/// With the centre and the radius that were missing, from the bounds of all positions (of an animation: those of all frames).
[[nodiscard]] Projection fitted(Projection projection, strided_view<const float> positions);

/// Projects positions of any dimension. Safe from several threads.
class Projector {
 public:
  /// Precondition: a fitted projection.
  Projector(std::size_t dimension, Projection projection);

  /// `out`: rows of 3 numbers, in the space's own first three axes (missing ones are 0). `hidden`: rows of N−3 numbers, the hidden
  /// coordinates from the centre, divided by the radius: −1 to 1; may be empty. N finite numbers per position.
  void run(strided_view<const float> positions, strided_view<float> out, strided_view<float> hidden = {}) const;

 private:
  std::size_t dimension_;
  Projection projection_;
};

/// A colour for a hidden coordinate from −1 to 1: cool below, warm above, light in between (Moreland, "Diverging Color Maps for Scientific
/// Visualization", 2009). Linear RGB.
void hidden_color(double hidden, std::span<float, 3> rgb);

/// Those edges of simplexes at which a shape bends in all directions but their own: the edges of its cells, without the diagonals that
/// cutting cells into simplexes has added. Where a mesh ends its border counts as a bend. Each once, first vertex below the second,
/// ascending. `simplexes`: rows of N ≥ 3 corners.
[[nodiscard]] std::vector<Edge> shape_edges(strided_view<const double> positions, std::span<const std::uint32_t> simplexes);

/// The model with Surface::edges on every surface of simplexes that has none: its shape_edges at the stored shape, so that they are the
/// same in every pose. N ≥ 3.
[[nodiscard]] Result<Model> with_shape_edges(const Model& model);

/// A static model (see bake) as a static model of three dimensions. Three: as it is. Fewer: flat, the missing coordinates 0. More: the
/// edges of surfaces as lines (their Surface::edges, else shape_edges), lines and points as they are, with vertex colours by the first
/// hidden coordinate. Failure::usage: a projection that does not fit the model.
[[nodiscard]] Result<Model> project(const Model& model, const Projection& projection);

/// The same of a posed model, with the edges of its stored shape.
[[nodiscard]] Result<Model> project(const Model& model, const Pose& pose, const Projection& projection, const BakeOptions& options);

}  // namespace sinew::ops
