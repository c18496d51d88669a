// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <limits>
#include <span>

#include "sinew/array.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

/// Column-major, as OpenGL takes it.
using Matrix4 = std::array<float, 16>;

/// Where the camera stands and what it sees. The graphics card counts in coordinates in which what is seen is about 1 large and about the
/// origin, seen = world · scale − origin, without rounding: float loses nothing far out in the world, and overflows at no size.
struct Camera {
  std::array<double, 3> right{1, 0, 0}, up{0, 1, 0}, back{0, 0, 1};  ///< its axes in the world; it looks against `back`
  double scale = 1;                                                  ///< a power of two
  std::array<double, 3> origin{};                                    ///< as float has it
  std::array<double, 3> eye{0, 0, 1};                                ///< in what is seen, as the matrix
  Matrix4 clip_from_seen{};
};

/// Finds the nearest place from which all that was shown to it lies in the picture: exact for points, whatever the proportions.
class CameraFitter {
 public:
  /// `aspect`: width over height of the picture.
  CameraFitter(const View& view, double aspect);

  void include(strided_view<const float> positions);  ///< rows of three finite numbers
  [[nodiscard]] bool empty() const { return !(nearest_ >= farthest_); }
  [[nodiscard]] Camera camera() const;

 private:
  Camera axes_;
  double slope_x_, slope_y_;  ///< of the pyramid of sight, without its margin
  double margin_x_, margin_y_;
  static constexpr double infinity_ = std::numeric_limits<double>::infinity();
  // The four planes of the pyramid through the outermost points: the largest of ±x + slope·z and ±y + slope·z in the camera's axes.
  std::array<double, 4> reach_{-infinity_, -infinity_, -infinity_, -infinity_};
  double nearest_ = -infinity_, farthest_ = infinity_;
};

}  // namespace sinew::show
