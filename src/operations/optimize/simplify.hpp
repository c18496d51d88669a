// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "operations/weights/vec.hpp"

namespace sinew::operations {

/// Triangles to simplify, with their places in several poses. Vertices are rows that a file stores; those at one place that move alike are
/// one point.
struct SimplifyInput {
  /// What a vertex has besides its place. Empty lists of the input: no vertex has any.
  struct Look {
    std::array<float, 3> normal{};    ///< zeros: none
    std::array<float, 2> texcoord{};  ///< of the first set
    std::array<float, 4> color{};
  };
  std::size_t poses = 0;                     ///< the first one is the rest pose
  std::vector<weights::Vec> places;          ///< of point p in pose k: places[p * poses + k]
  std::vector<std::uint32_t> point;          ///< of each vertex
  std::vector<Look> looks;                   ///< of each vertex
  std::vector<weights::Triangle> triangles;  ///< of vertices
  std::vector<std::uint32_t> surface;        ///< of each triangle
  std::vector<bool> locked;                  ///< by point: it stays
  double limit = 0;                          ///< how far a point may lie from the surface that is left, in every pose
  std::size_t target = 0;                    ///< the wanted number of triangles
};

struct Simplified {
  std::vector<std::uint32_t> kept;           ///< numbers of the triangles that are left
  std::vector<weights::Triangle> triangles;  ///< their vertices now
};

/// Collapses edges, each to one of its ends, the cheapest first, until the target is reached or nothing more can go:
/// - A cost is the sum of the squared distances from the planes of the old triangles, over all poses (quadrics, Garland and Heckbert 1997).
/// - No old point gets further than the limit from the triangles around the edge, in any pose. No triangle turns over in any.
/// - Where vertices of one point differ (seams), and at borders of surfaces, edges collapse only along the seam or border, all vertices
///   of the point together. Each vertex keeps its row.
/// - What is a manifold stays one. Points where more than two triangles share an edge stay.
/// - Texture coordinates slide by at most four times the limit, or 1/256; normals turn by at most 60°.
[[nodiscard]] Simplified simplify(const SimplifyInput& input);

}  // namespace sinew::operations
