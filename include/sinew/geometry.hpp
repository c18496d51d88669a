// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/array.hpp"
#include "sinew/result.hpp"

namespace sinew {

// Cells of N-space: normals, volumes, and the two ways of writing a mesh down, by simplexes and by the hierarchy of its parts.
// Dimensions are at most 16. Positions are rows of N numbers; T is float or double, sums are in double.

/// The vector perpendicular to N−1 vectors (given packed, one after another): n_i = (−1)^(i+N−1) · det(the vectors without axis i). Its
/// length is the volume that they span, and (vectors…, n) is positively oriented; N = 3: the cross product, N = 2: a quarter turn
/// counter-clockwise (G4MF, mesh part, calculating cell normals). `out` has N numbers.
void perpendicular(std::size_t dimension, std::span<const double> vectors, std::span<double> out);

/// The k-dimensional volume of a simplex with k+1 corners, k ≤ N: length, area, volume, …
template <class T>
[[nodiscard]] double simplex_volume(strided_view<const T> positions, std::span<const std::uint32_t> corners);
/// The same with a sign, of a simplex that fills its space (N+1 corners): a triangle of the plane counts as positive counter-clockwise.
template <class T>
[[nodiscard]] double signed_volume(strided_view<const T> positions, std::span<const std::uint32_t> corners);

/// The perpendicular of a boundary simplex (N corners, N ≥ 2): it points to the side that the simplex faces and is (N−1)! times as long
/// as the simplex is large.
template <class T>
void simplex_normal(strided_view<const T> positions, std::span<const std::uint32_t> corners, std::span<double> normal);

/// One unit normal per simplex; zeros where it has none (no volume). `simplexes`: rows of N corners.
template <class T>
void flat_normals(strided_view<const T> positions, strided_view<const std::uint32_t> simplexes, strided_view<T> normals);
/// One unit normal per position: of the simplexes around it, each counting as much as it is large; zeros where there is none.
template <class T>
void smooth_normals(strided_view<const T> positions, strided_view<const std::uint32_t> simplexes, strided_view<T> normals);

/// Lists of indices of any length, one after another.
struct IndexRows {
  std::vector<std::size_t> first{0};  ///< where each row starts, and the end of the last one
  std::vector<std::uint32_t> indices;

  [[nodiscard]] std::size_t size() const { return first.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t row) const {
    return std::span(indices).subspan(first[row], first[row + 1] - first[row]);
  }
  void end_row() { first.push_back(indices.size()); }
};

using Edge = std::array<std::uint32_t, 2>;

/// A mesh by the hierarchy of its parts: edges over vertices, tier 0 faces over edges, tier 1 volumes over faces, and so on; items of
/// tier t have dimension t + 2. Functions trust that every index is in range.
struct Polytopes {
  std::vector<Edge> edges;
  std::vector<IndexRows> tiers;
};

/// The tier whose items bound the mesh: faces up to three dimensions, volumes in four, …
[[nodiscard]] constexpr std::size_t boundary_tier(std::size_t dimension) { return dimension <= 3 ? 0 : dimension - 3; }

/// The items of a stream "count, indices…, count, indices…"; nothing where the last item is cut short.
[[nodiscard]] std::optional<IndexRows> unpack_tier(std::span<const std::uint32_t> stream);

/// The vertices of every item of a tier, each once, in the order of first occurrence when the item is walked down to the ends of its
/// edges (G4MF: topology vertex instances). A face starts with the corner that gives its winding: the free end of its first edge, the
/// vertex shared with the second one, the free end of that. Failure::limit when more than `limit` entries would have to be looked at.
[[nodiscard]] Result<IndexRows> item_vertices(const Polytopes& polytopes, std::size_t tier, std::size_t limit);

/// For every item of a tier the simplex that gives it its orientation: for an item of dimension d, d+1 vertices: a free vertex of its first
/// part, the orientation of what its first two parts share, a free vertex of the second part (faces: winding of the first two edges;
/// volumes: the shared edge in its stored direction; higher ones continue the pattern). An empty row where the first two parts share
/// nothing.
[[nodiscard]] Result<IndexRows> orientation_simplexes(const Polytopes& polytopes, std::size_t tier, std::size_t limit);

/// Items cut into simplexes.
struct Triangulation {
  std::size_t corners = 0;               ///< of each simplex
  std::vector<std::uint32_t> simplexes;  ///< rows of `corners`
  std::vector<std::size_t> first;        ///< the first simplex of each item, and the number of all
  std::vector<std::uint32_t> refused;    ///< items without simplexes: not closed, or star-shaped from none of their vertices
};

/// Cuts the items of a tier into simplexes around one vertex each, the lowest from which all of the item is seen; parts that items share
/// are cut alike where they are convex. The simplexes of an item start with that vertex and face as their orientation_simplexes do.
/// Simplexes without volume are left out. Failure::limit when more than `limit` simplexes would have to be tried.
[[nodiscard]] Result<Triangulation> triangulate(const Polytopes& polytopes, std::size_t tier, strided_view<const double> positions,
                                                std::size_t limit);

/// The hierarchy of simplexes with `corners` ≥ 3 corners: every part once, in the order of first occurrence, the simplexes as they are
/// in the last tier, facing as before. `edges` come first and keep their place. Failure::limit beyond `limit` parts in all.
[[nodiscard]] Result<Polytopes> polytopes_from_simplexes(std::size_t corners, std::span<const std::uint32_t> simplexes,
                                                         const std::vector<Edge>& edges, std::size_t limit);

/// The edges of simplexes, each once, in the order and direction of first occurrence.
[[nodiscard]] std::vector<Edge> edges_from_simplexes(std::size_t corners, std::span<const std::uint32_t> simplexes);

/// Runs of simplexes with the same first vertex (G4MF's polytopeSimplexes: each run is one star-shaped polytope): the first simplex of each
/// run, and the number of all.
[[nodiscard]] std::vector<std::size_t> polytope_runs(std::size_t corners, std::span<const std::uint32_t> simplexes);

/// The first simplex whose normal differs from that of its run by more than rounding (a cosine under 1 − 1e-4), simplexes without
/// volume aside; the number of simplexes where none does.
[[nodiscard]] std::size_t first_bent_simplex(strided_view<const double> positions, std::size_t corners,
                                             std::span<const std::uint32_t> simplexes, std::span<const std::size_t> runs);

}  // namespace sinew
