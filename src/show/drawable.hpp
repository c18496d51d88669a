// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "model/material_of.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::show {

/// Gives all values of a three-dimensional mesh one index per vertex: surfaces with values per corner get their own vertices, and surfaces
/// with only a topology are cut into simplexes.
[[nodiscard]] Result<> make_drawable(Mesh& mesh);

/// Returns linear red, green, blue and opacity of every vertex; empty if the block has no colours.
[[nodiscard]] std::vector<float> colors_of(const VertexBlock& block);

/// Rows for every vertex: two numbers for a flat texture, three for a volume.
struct Texcoords {
  std::size_t width = 0;  ///< 0: there are none
  std::vector<float> values;
};
[[nodiscard]] Texcoords texcoords_of(const VertexBlock& block, Index set);

/// Returns whether a clip changes the visibility of a node or of a node above it, so that a node that is hidden as stored may appear.
[[nodiscard]] bool may_appear(const Model& model, Index node);

/// Gives simplexes without volume all their edges: they have no shape that distinguishes edges from diagonals
/// (operations::with_shape_edges).
void give_flat_cells_edges(Model& model);

/// Returns one line for each material with a missing or broken texture, except volumes, which report their own.
[[nodiscard]] std::vector<Error> texture_notes(const Model& model, std::size_t most_texels);

/// Returns the model with the values of its materials for parts of surfaces (io::load_material_values); nothing if there are none.
[[nodiscard]] Result<std::optional<Model>> with_material_values(const Model& model);

}  // namespace sinew::show
