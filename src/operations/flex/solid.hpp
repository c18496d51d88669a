// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "operations/flex/figure.hpp"
#include "operations/weights/vec.hpp"

namespace sinew::operations::bend {

using weights::Vec;

// Corners of a small box: an Extent has room for 16 dimensions, and there is a box for each triangle.
[[nodiscard]] inline Vec lowest(const Vec& a, const Vec& b) { return {std::min(a[0], b[0]), std::min(a[1], b[1]), std::min(a[2], b[2])}; }
[[nodiscard]] inline Vec highest(const Vec& a, const Vec& b) { return {std::max(a[0], b[0]), std::max(a[1], b[1]), std::max(a[2], b[2])}; }

/// Returns the place of a twin; in two dimensions the third number is 0.
[[nodiscard]] inline Vec vec_at(const Figure& figure, std::span<const double> at, Number twin) {
  const double* const p = &at[twin * figure.n];
  return {p[0], p[1], figure.n == 3 ? p[2] : 0};
}

/// A triangle, or in the plane also an edge: then two corners count.
struct Piece {
  std::array<Number, 3> corner{};
  Number simplex = 0;
};
[[nodiscard]] std::vector<Piece> pieces_of(const Figure& figure, std::span<const Number> triangles);
/// Returns the edges that one triangle alone has, each with the surface on its left side. Two dimensions; by ascending triangles.
[[nodiscard]] std::vector<Piece> outline_of(const Figure& figure, std::span<const Number> triangles);

/// The triangles of one part as a tree of boxes that fits itself to a pose: distances, and the generalised winding number (Jacobson and
/// others, "Robust inside-outside segmentation using generalized winding numbers", 2013), with far triangles as dipoles (Barill and others,
/// "Fast winding numbers for soups and clouds", 2018). In the plane the edges of its outline do the same. Immutable; what a pose changes is
/// in a Fit.
class Solid {
 public:
  /// `corners`: 3 for triangles, 2 for the edges of an outline.
  Solid(const Figure& figure, Number part, std::vector<Piece> pieces, std::size_t corners);

  struct Node {
    Vec low, high, center, dipole;
    double radius = 0;
  };
  using Fit = std::vector<Node>;

  void fit(std::span<const double> at, Fit& out) const;
  [[nodiscard]] double winding(const Fit& fit, std::span<const double> at, const Vec& point) const;
  struct Near {
    double distance;  ///< at least that which was asked for: nothing is nearer
    Number triangle;  ///< a simplex of the figure, or `nothing`; that of the nearest edge
  };
  /// Returns the nearest piece within a distance.
  [[nodiscard]] Near nearest(const Fit& fit, std::span<const double> at, const Vec& point, double within) const;

  [[nodiscard]] Number part() const { return part_; }
  [[nodiscard]] std::span<const Piece> pieces() const { return pieces_; }

 private:
  struct Branch {
    Number first, count;  ///< of `pieces_`
    Number right = 0;     ///< 0: a leaf; the left child is the next one
  };
  Number build(std::size_t first, std::size_t last, std::vector<std::pair<Vec, Piece>>& pieces);
  [[nodiscard]] double square_to(const Piece& piece, std::span<const double> at, const Vec& point) const;

  const Figure& figure_;
  Number part_;
  std::size_t corners_;
  std::vector<Piece> pieces_;
  std::vector<Branch> branches_;
};

}  // namespace sinew::operations::bend
