// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// Calls `use(attribute)` for all attributes of a mesh: of vertices, corners and topologies.
template <class Use>
void for_each_attribute(Mesh& mesh, const Use& use) {
  for (VertexBlock& block : mesh.blocks)
    for (Attribute& attribute : block.attributes) use(attribute);
  for (Surface& surface : mesh.surfaces) {
    for (Attribute& attribute : surface.attributes) use(attribute);
    if (surface.topology)
      for (Attribute& attribute : surface.topology->attributes) use(attribute);
  }
}

/// Transforms positions, normals, tangents and their offsets. Returns false if there are normals or tangents and the map mirrors or scales
/// non-uniformly; the mesh is then unusable.
[[nodiscard]] bool transform(Mesh& mesh, const Affine& map);

/// Returns the joints of a set with new slot numbers, as 16-bit numbers; slot 0 where the weight is 0.
[[nodiscard]] Array with_slots(const Influences::Set& set, std::span<const std::size_t> place);

/// Returns the values of a track of amounts with `added` values after the `before` values of every key; in splines the tangents of added
/// ones are 0.
[[nodiscard]] Array with_rows(const Array& values, std::size_t before, std::span<const double> added, bool spline);

/// Appends the positions (with offsets) and influences of another block.
void append_vertices(VertexBlock& block, const VertexBlock& added);

/// Adds `first` to the vertex indices of a surface.
void move_indices(Surface& surface, std::uint32_t first);

}  // namespace sinew::operations
