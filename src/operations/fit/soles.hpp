// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "operations/fit/surfaces.hpp"

#include "sinew/model.hpp"

namespace sinew::operations::weights {

/// The sole of one foot at rest: a plane through the lowest places of its heel and of its front. Heights are along the y axis.
struct Sole {
  Vec ankle{};
  std::array<double, 2> ahead{};  ///< the horizontal direction (x, z) in which the foot points, of length 1
  double height = 0;              ///< of the plane below the ankle
  double slope = 0;               ///< of the plane in that direction

  [[nodiscard]] double at(const Vec& point) const {
    return height + slope * (ahead[0] * (point[0] - ankle[0]) + ahead[1] * (point[2] - ankle[2]));
  }
};

/// A figure or clothes in their own rest pose.
struct RestFigure {
  const Model& model;
  const RiggedSurface& rigged;
  std::span<const Index> twin;  ///< by node: the node of the body, or none
};

/// Boots stand on the ground that the feet of the body stand on: how high each vertex is above the soles.
class Stance {
 public:
  /// `rigged`: of the body. `figure`: that the clothes were made for, or else the clothes again. Takes the feet of a humanoid body whose
  /// soles have the same slope as those of the figure, to 15 degrees: a high heel bends a foot by more.
  Stance(const Model& body, const RiggedSurface& rigged, const RestFigure& figure, const RestFigure& clothes);

  /// Returns the same for welded vertices. `point_of`: by vertex of the clothes, the number of its point.
  [[nodiscard]] Stance welded(std::span<const std::uint32_t> point_of, std::size_t points) const;
  /// Gives the points of feet the height above the body's soles that they had above the figure's, relative to the ankles; less a gap, or
  /// shoes of the body would show in the soles of boots.
  void put(std::span<Vec> points) const;
  /// Takes points back that came below the soles.
  void keep(std::span<const Vec> before, std::span<Vec> points) const;

 private:
  struct Foot {
    Sole sole;                  ///< of the body
    std::vector<double> share;  ///< by vertex: of its weights on the foot and below it; less in the upper half of the way to the ankle
    std::vector<double> above;  ///< by vertex: its height above the sole
  };
  Stance() = default;
  std::vector<Foot> feet_;
  double gap_ = 0;  ///< of the soles of the clothes below those of the body
};

}  // namespace sinew::operations::weights
