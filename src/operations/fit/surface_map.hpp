// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "operations/fit/surfaces.hpp"

namespace sinew::operations::weights {

/// Stretches along the axes of the world about a point that moves.
struct Stretch {
  Vec from{}, to{}, factor{1, 1, 1};

  [[nodiscard]] Vec of(const Vec& p) const {
    return {to[0] + factor[0] * (p[0] - from[0]), to[1] + factor[1] * (p[1] - from[1]), to[2] + factor[2] * (p[2] - from[2])};
  }
  [[nodiscard]] Vec back(const Vec& q) const {
    return {from[0] + (q[0] - to[0]) / factor[0], from[1] + (q[1] - to[1]) / factor[1], from[2] + (q[2] - to[2]) / factor[2]};
  }
};

/// Returns the scale without turn that takes points nearest to their new places, by least squares. The factors are equal, and 0 if the
/// points do not tell. `shares`: how much each point counts.
[[nodiscard]] Stretch even_stretch(std::span<const Vec> points, std::span<const Vec> moved, std::span<const double> shares);

/// The part of a figure's outer surface that follows one bone of the body.
struct Patch {
  std::vector<Triangle> triangles;  ///< of points of the outer surface
  std::vector<std::uint32_t> points;
  std::optional<TriangleTree> tree;

  [[nodiscard]] Nearest nearest(const Vec& point) const { return tree->nearest(point, TriangleTree::enough); }
  [[nodiscard]] Vec place(const OuterSurface& of, const Nearest& at) const {
    Vec out{};
    for (std::size_t i = 0; i < 3; ++i) out = out + at.share[i] * of.points()[triangles[at.triangle][i]];
    return out;
  }
};

/// Where the surface of one head, hand, foot or chest lies on that of another figure, and what lies on it or near it.
class SurfaceMap {
 public:
  enum class Start : std::uint8_t { in_place, aligned };

  /// Keeps references to the surfaces and the patches. Preconditions: both patches have points, triangles and a tree. `start`: whether the
  /// source already lies where it belongs, or is first stretched to lie as well as it can on the target. `eyes`: of the source and of the
  /// target, if known; eyes and the tips of noses then come to the same height.
  SurfaceMap(const OuterSurface& source, const Patch& from, const OuterSurface& target, const Patch& to, Start start,
             const std::optional<std::array<Vec, 2>>& eyes = {});

  /// Returns where a place goes: as the nearest point of the surface; far from it, as the surface as a whole.
  [[nodiscard]] Vec of(const Vec& point) const;
  /// Returns the scale without turn that takes the surface near these points best to its new place. The factors are equal.
  [[nodiscard]] Stretch rigid(std::span<const Vec> points) const;

 private:
  const OuterSurface& source_;
  const Patch& from_;
  Stretch stretch_;
  double size_ = 0;         ///< the diagonal of the source
  std::vector<Vec> moves_;  ///< by point of the source's outer surface: after the stretch
};

}  // namespace sinew::operations::weights
