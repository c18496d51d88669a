// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace sinew {

/// The vertices of all blocks of a mesh.
[[nodiscard]] std::size_t vertex_count(const Mesh& mesh);

/// The most influences that the format stores for a vertex of the mesh.
[[nodiscard]] std::size_t most_influences(const Mesh& mesh);

/// The corners of a surface, one per number of elements_of (G4MF: vertex instances): how many, without making the list.
[[nodiscard]] std::size_t corner_count(const Mesh& mesh, const Surface& surface, std::size_t dimension);

/// The hierarchy that a surface with a topology stores. Trusts what reading has checked.
[[nodiscard]] Polytopes polytopes_of(const Surface& surface);

/// The vertices of each boundary item, which are the rows of Topology::attributes (G4MF: topology vertex instances). No rows where the
/// topology lacks the boundary's tier. Failure::limit as item_vertices.
[[nodiscard]] Result<IndexRows> topology_corners(const Surface& surface, std::size_t dimension, std::size_t limit);

/// Simplexes for a surface that has only a topology: its boundary items cut as triangulate (geometry.hpp) does, in the mesh's stored
/// shape. They define no corners. Nothing to cut where the topology lacks the boundary's tier.
[[nodiscard]] Result<Triangulation> simplexes_from_topology(const Mesh& mesh, const Surface& surface, std::size_t dimension,
                                                            std::size_t limit);

}  // namespace sinew
