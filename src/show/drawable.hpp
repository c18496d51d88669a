// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "model/material_of.hpp"

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

/// Simplexes without volume have no shape whose edges could be told from diagonals (operations::with_shape_edges): all are drawn.
void give_flat_cells_edges(Model& model);

/// One line for each material whose texture is missing or cannot be decoded; volumes tell their own.
[[nodiscard]] std::vector<Error> texture_notes(const Model& model, std::size_t most_texels);

/// The model with what its materials say of the parts of surfaces (io::load_material_values); nothing where it stays as it is.
[[nodiscard]] Result<std::optional<Model>> with_material_values(const Model& model);

}  // namespace sinew::show
