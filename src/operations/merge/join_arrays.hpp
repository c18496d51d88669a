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

/// Moves positions, normals, tangents and their offsets. False, and nothing useful done, where there are normals or tangents and the map
/// mirrors or does not scale all directions alike: then nothing says what they become.
[[nodiscard]] bool transform(Mesh& mesh, const Affine& map);

/// The joints of a set in other slots, as 16-bit numbers; without weight the first one.
[[nodiscard]] Array with_slots(const Influences::Set& set, std::span<const std::size_t> place);

/// Values of a track of amounts, `before` of them for every key, with more behind them; of a spline the tangents of those are 0.
[[nodiscard]] Array with_rows(const Array& values, std::size_t before, std::span<const double> added, bool spline);

/// Positions with offsets, and influences, behind those of another block.
void append_vertices(VertexBlock& block, const VertexBlock& added);

/// Counts the vertices that a surface names from `first`.
void move_indices(Surface& surface, std::uint32_t first);

}  // namespace sinew::operations
