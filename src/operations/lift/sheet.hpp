// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sinew/lift.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {

inline constexpr double usual_thickness = 0.02;  ///< relative to the diagonal

[[nodiscard]] inline std::size_t count_of(const Elements& elements) {
  return elements.corners == 0 ? 0 : elements.indices.size() / elements.corners;
}

/// Sorts the few corners of a simplex, ascending, and returns whether that is an odd permutation.
template <class Corner>
bool sort_odd(std::span<Corner> corners) {
  bool odd = false;
  for (std::size_t i = 1; i < corners.size(); ++i)
    for (std::size_t k = i; k > 0 && corners[k - 1] > corners[k]; --k) {
      std::swap(corners[k - 1], corners[k]);
      odd = !odd;
    }
  return odd;
}

/// The surfaces of a mesh as one oriented manifold: every side belongs to one simplex (a border) or two. A vertex that several sheets only
/// touch at is one point for each of them.
struct Sheet {
  std::size_t dimension = 0;                          ///< N; simplexes have N corners
  std::vector<double> places;                         ///< by point, N numbers
  std::vector<std::uint32_t> row;                     ///< by point: a row of the mesh's vertices
  std::vector<std::uint32_t> welded;                  ///< by point: equal for points at one place
  std::vector<std::uint32_t> simplexes;               ///< points, N each
  std::vector<std::uint32_t> corner;                  ///< by corner of a simplex: the corner of its surface that it comes from
  std::vector<std::uint32_t> surface;                 ///< by simplex
  std::vector<std::array<std::uint32_t, 2>> borders;  ///< simplex, and the corner opposite to the side

  [[nodiscard]] std::size_t count() const { return surface.size(); }
  [[nodiscard]] std::size_t points() const { return row.size(); }
  [[nodiscard]] std::span<const std::uint32_t> simplex(std::size_t i) const {
    return std::span(simplexes).subspan(i * dimension, dimension);
  }
  [[nodiscard]] std::span<const double> place(std::size_t point) const { return std::span(places).subspan(point * dimension, dimension); }
};

/// Welds the vertices by position and orients the simplexes as most of them are. Appends what had to be left out. Precondition: one block
/// with positions.
/// Vertices whose own weights or offsets give way to those of another one at their place are among these.
[[nodiscard]] Sheet sheet_of(const Mesh& mesh, std::size_t dimension, std::vector<LeftOut>& left_out);

/// Returns the way from each point to the surface at distance 1: the vector m that comes nearest to m · n = 1 for the unit normals n of the
/// simplexes around, weighted by volume, as mitres do at corners; along the mean normal where the surface is flat, and at most four times
/// as long as there.
[[nodiscard]] std::vector<double> mitres_of(const Sheet& sheet);

/// Shrinks the thickness at each point, in lengths of the mitres, where the surface at this distance on either side would turn over or meet
/// the wall of another part of the sheet (walls.hpp); not below a thousandth of what it was, since sheets can touch. Returns how many
/// simplexes still meet another one. `threads` 0: all cores.
std::size_t limit_thickness(const Sheet& sheet, std::span<const double> mitres, unsigned threads, std::vector<double>& thickness);

}  // namespace sinew::operations
