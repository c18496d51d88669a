// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::show {

/// For a mesh of three dimensions, one index for all that a vertex has: surfaces with values per corner get vertices of their own; those
/// that have a topology alone get the simplexes that it is cut into.
[[nodiscard]] Result<> make_drawable(Mesh& mesh);

/// Red, green, blue and opacity, linear, of every vertex; nothing where the block has no colours.
[[nodiscard]] std::vector<float> colors_of(const VertexBlock& block);

/// Rows of two numbers for a flat texture or of three for a volume, one for every vertex.
struct Texcoords {
  std::size_t width = 0;  ///< 0: there are none
  std::vector<float> values;
};
[[nodiscard]] Texcoords texcoords_of(const VertexBlock& block, Index set);

/// Simplexes without volume have no shape whose edges could be told from diagonals (ops::with_shape_edges): all are drawn.
void give_flat_cells_edges(Model& model);

/// The material of a surface as a node shows it: the node's instead of the surface's `own`. none: it has none.
[[nodiscard]] Index material_of(const Node& node, std::size_t surface, Index own);

}  // namespace sinew::show
