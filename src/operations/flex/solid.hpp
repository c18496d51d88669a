// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "operations/flex/figure.hpp"
#include "operations/weights/vec.hpp"

namespace sinew::operations::bend {

using weights::Vec;

// Corners of a small box: an Extent has room for 16 dimensions, and there is a box for each triangle.
[[nodiscard]] inline Vec lowest(const Vec& a, const Vec& b) { return {std::min(a[0], b[0]), std::min(a[1], b[1]), std::min(a[2], b[2])}; }
[[nodiscard]] inline Vec highest(const Vec& a, const Vec& b) { return {std::max(a[0], b[0]), std::max(a[1], b[1]), std::max(a[2], b[2])}; }

/// The triangles of one part as a tree of boxes that fits itself to a pose: distances, and the generalised winding number (Jacobson and
/// others, "Robust inside-outside segmentation using generalized winding numbers", 2013), with far triangles as dipoles (Barill and others,
/// "Fast winding numbers for soups and clouds", 2018). Immutable; what a pose changes is in a Fit.
class Solid {
 public:
  Solid(const Figure& figure, Number part, std::vector<Number> triangles);

  struct Node {
    Vec low, high, center, dipole;
    double radius = 0;
  };
  using Fit = std::vector<Node>;

  void fit(std::span<const double> at, Fit& out) const;
  [[nodiscard]] double winding(const Fit& fit, std::span<const double> at, const Vec& point) const;
  struct Near {
    double distance;  ///< at least that which was asked for: nothing is nearer
    Number triangle;  ///< a simplex of the figure, or `nothing`
  };
  /// Returns the nearest triangle within a distance.
  [[nodiscard]] Near nearest(const Fit& fit, std::span<const double> at, const Vec& point, double within) const;

  [[nodiscard]] Number part() const { return part_; }
  [[nodiscard]] std::span<const Number> triangles() const { return triangles_; }

 private:
  struct Branch {
    Number first, count;  ///< of `triangles_`
    Number right = 0;     ///< 0: a leaf; the left child is the next one
  };
  Number build(std::size_t first, std::size_t last, const std::vector<Vec>& centers);

  const Figure& figure_;
  Number part_;
  std::vector<Number> triangles_;
  std::vector<Branch> branches_;
};

}  // namespace sinew::operations::bend
