// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/array.hpp"
#include "sinew/bake.hpp"
#include "sinew/geometry.hpp"
#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::operations {

// Pictures of N dimensions: three axes are drawn directly, the hidden axes (w, then v, …) by perspective and colour. A mesh is drawn as its
// edges.

enum class ProjectionKind : std::uint8_t {
  perspective,  ///< points nearer to an eye on a hidden axis appear larger; the factors of several hidden axes multiply
  orthographic  ///< hidden axes are left out
};

struct Projection {
  ProjectionKind kind = ProjectionKind::perspective;
  double distance = 0;         ///< of the eyes from the centre, along their axes, in radii; 0: three radii. Must exceed 1
  std::vector<double> center;  ///< N numbers, the fixed point; empty: the centre of the projected points
  double radius = 0;           ///< of a ball around the centre that contains everything; 0: computed
  Affine view;                 ///< applied first, around the centre (linear part only); dimension 0: none
};

/// Returns the projection with a missing centre and radius computed from the bounds of all positions (of an animation: of all frames).
[[nodiscard]] Result<Projection> fitted(Projection projection, strided_view<const float> positions);

/// Projects positions of any dimension. Safe from several threads.
class Projector {
 public:
  /// Precondition: a fitted projection.
  Projector(std::size_t dimension, Projection projection) noexcept;

  /// `out`: rows of 3 numbers, along the first three axes of the space (missing ones are 0). `hidden`: rows of N−3 numbers, the hidden
  /// coordinates relative to the centre, divided by the radius: −1 to 1; may be empty. Precondition: N finite numbers per position.
  void run(strided_view<const float> positions, strided_view<float> out, strided_view<float> hidden = {}) const noexcept;

 private:
  std::size_t dimension_;
  Projection projection_;
};

/// Computes the colour for a hidden coordinate from −1 to 1: cool below, warm above, light in between (Moreland, "Diverging Color Maps for
/// Scientific Visualization", 2009). Linear RGB.
void hidden_color(double hidden, std::span<float, 3> rgb) noexcept;

/// Finds the edges of simplexes at which a shape bends in all directions except along the edge: the edges of its cells, without the
/// diagonals inside cells. The border of a mesh counts as a bend. Each edge occurs once, the lower vertex first; edges are sorted.
/// `simplexes`: rows of N ≥ 3 corners.
[[nodiscard]] Result<std::vector<Edge>> shape_edges(strided_view<const double> positions, std::span<const std::uint32_t> simplexes);

/// Adds Surface::edges to every surface of simplexes without edges: shape_edges at the stored shape, so the edges are the same in every
/// pose. Precondition: N ≥ 3.
[[nodiscard]] Result<Model> with_shape_edges(const Model& model);

/// Converts a static model (see bake) to a static model of three dimensions. Three dimensions: unchanged. Fewer: flat, missing coordinates
/// are 0. More: edges of surfaces become lines (Surface::edges, else shape_edges), lines and points stay, and vertex colours show the first
/// hidden coordinate. Failure::usage: a projection that does not fit the model.
[[nodiscard]] Result<Model> project(const Model& model, const Projection& projection);

/// Does the same for a posed model, with the edges of its stored shape.
[[nodiscard]] Result<Model> project(const Model& model, const Pose& pose, const Projection& projection, const BakeOptions& options);

}  // namespace sinew::operations
