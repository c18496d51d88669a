// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "sinew/array.hpp"
#include "sinew/render.hpp"

namespace sinew::show {

/// Column-major, as in OpenGL.
using Matrix4 = std::array<float, 16>;

/// The position and axes of the camera. The graphics card uses view coordinates in which the visible space has a size of about 1 and lies
/// near the origin: seen = world · scale − origin, without rounding. So floats lose no precision far from the world's origin and never
/// overflow.
struct Camera {
  std::array<double, 3> right{1, 0, 0}, up{0, 1, 0}, back{0, 0, 1};  ///< its axes in the world; it looks along −back
  double scale = 1;                                                  ///< a power of two
  std::array<double, 3> origin{};                                    ///< as float stores it
  std::array<double, 3> eye{0, 0, 1};                                ///< in view coordinates, as the matrix
  Matrix4 clip_from_seen{};
};

/// Finds the nearest camera position from which all included points are in the picture. Exact for any proportions.
class CameraFitter {
 public:
  /// `aspect`: width over height of the picture.
  CameraFitter(const View& view, double aspect);

  void include(strided_view<const float> positions);  ///< rows of three finite numbers
  [[nodiscard]] bool empty() const { return !(nearest_ >= farthest_); }
  [[nodiscard]] Camera camera() const;

 private:
  Camera axes_;
  double slope_x_, slope_y_;  ///< of the viewing pyramid, without margin
  double margin_x_, margin_y_;
  static constexpr double infinity_ = std::numeric_limits<double>::infinity();
  // The four planes of the viewing pyramid through the outermost points: the largest ±x + slope·z and ±y + slope·z in the camera's axes.
  std::array<double, 4> reach_{-infinity_, -infinity_, -infinity_, -infinity_};
  double nearest_ = -infinity_, farthest_ = infinity_;
};

/// Returns how many of the target's pixels all elements cover, counted anew for each of them; lines and points count for more, as they take
/// more time. `elements`: rows of `corners` indices (3: triangles, 2: lines, 1: points). `positions`: rows of three.
[[nodiscard]] double covered_pixels(const Camera& camera, std::array<std::size_t, 2> pixels, std::span<const std::uint32_t> elements,
                                    std::size_t corners, strided_view<const float> positions);

}  // namespace sinew::show
