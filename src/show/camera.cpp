// SPDX-License-Identifier: MIT
#include "show/camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "show/vector.hpp"

namespace sinew::show {

namespace {

constexpr double half_angle = 15;     // degrees, of the shorter side: a long lens keeps proportions
constexpr double filled_part = 0.92;  // of the picture; the rest is a margin for lines and points
constexpr double line_pixels = 12;    // what a line takes for each pixel of its length, compared with a triangle's
constexpr double point_pixels = 480;  // what a point takes

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double radians(double degrees) { return degrees * std::numbers::pi / 180; }

}  // namespace

CameraFitter::CameraFitter(const View& view, double aspect) {
  const double yaw = radians(view.yaw), pitch = radians(view.pitch);
  axes_.right = {std::cos(yaw), 0, -std::sin(yaw)};
  axes_.back = {std::sin(yaw) * std::cos(pitch), std::sin(pitch), std::cos(yaw) * std::cos(pitch)};
  axes_.up = cross(axes_.back, axes_.right);
  const double slope = std::tan(radians(half_angle));
  slope_x_ = slope * std::max(aspect, 1.0);
  slope_y_ = slope * std::max(1 / aspect, 1.0);
  margin_x_ = slope_x_ * filled_part;
  margin_y_ = slope_y_ * filled_part;
}

void CameraFitter::include(strided_view<const float> positions) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const float* p = positions[i];
    const Vector world{p[0], p[1], p[2]};
    const double x = dot(axes_.right, world), y = dot(axes_.up, world), z = dot(axes_.back, world);
    reach_[0] = std::max(reach_[0], x + margin_x_ * z);
    reach_[1] = std::max(reach_[1], -x + margin_x_ * z);
    reach_[2] = std::max(reach_[2], y + margin_y_ * z);
    reach_[3] = std::max(reach_[3], -y + margin_y_ * z);
    nearest_ = std::max(nearest_, z);
    farthest_ = std::min(farthest_, z);
  }
}

Camera CameraFitter::camera() const {
  Camera camera = axes_;
  if (empty()) return camera;
  // Two planes of one direction meet at the eye: x = (a − b) / 2, slope · z = (a + b) / 2. The farther eye of both directions counts.
  const double x = (reach_[0] - reach_[1]) / 2, y = (reach_[2] - reach_[3]) / 2;
  double z = std::max((reach_[0] + reach_[1]) / (2 * margin_x_), (reach_[2] + reach_[3]) / (2 * margin_y_));
  // Do not zoom in beyond the precision of float positions.
  const double least = 1e-6 * std::max({std::abs(x), std::abs(y), std::abs(z)});
  const double size = std::max({z - nearest_, nearest_ - farthest_, least});
  const double room = size > 0 ? size : 1;  // a single point
  z = std::max(z, nearest_ + room * 0.05);
  camera.scale = std::ldexp(1.0, -std::clamp(std::ilogb(room), -120, 126));
  const double near = (z - nearest_) * 0.5 * camera.scale, far = ((z - farthest_) + room) * camera.scale;
  const double depth = (nearest_ + farthest_) / 2;
  for (std::size_t i = 0; i < 3; ++i) {
    const double center = axes_.right[i] * x + axes_.up[i] * y + axes_.back[i] * depth;
    camera.origin[i] = static_cast<float>(center * camera.scale);
    camera.eye[i] = (axes_.right[i] * x + axes_.up[i] * y + axes_.back[i] * z) * camera.scale - camera.origin[i];
  }

  const double depth_scale = -(far + near) / (far - near), depth_shift = -2 * far * near / (far - near);
  const auto row = [&](const Vector& axis, double at, double scale) {
    return std::array<double, 4>{axis[0] * scale, axis[1] * scale, axis[2] * scale, -at * scale};
  };
  const std::array<double, 4> view_z = row(axes_.back, dot(axes_.back, camera.eye), 1);  // visible points have a negative z
  const std::array<double, 4> rows[4] = {
      row(axes_.right, dot(axes_.right, camera.eye), 1 / slope_x_),
      row(axes_.up, dot(axes_.up, camera.eye), 1 / slope_y_),
      {view_z[0] * depth_scale, view_z[1] * depth_scale, view_z[2] * depth_scale, view_z[3] * depth_scale + depth_shift},
      {-view_z[0], -view_z[1], -view_z[2], -view_z[3]}};
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t c = 0; c < 4; ++c) camera.clip_from_seen[c * 4 + r] = static_cast<float>(rows[r][c]);
  return camera;
}

double covered_pixels(const Camera& camera, std::array<std::size_t, 2> pixels, std::span<const std::uint32_t> elements, std::size_t corners,
                      strided_view<const float> positions) {
  if (corners == 1) return point_pixels * static_cast<double>(elements.size());
  const double width = static_cast<double>(pixels[0]), height = static_cast<double>(pixels[1]), all = width * height;
  const auto place = [&](std::size_t element) {
    std::array<double, 4> clip{};
    for (std::size_t r = 0; r < 4; ++r) {
      clip[r] = camera.clip_from_seen[12 + r];
      for (std::size_t c = 0; c < 3; ++c)
        clip[r] += camera.clip_from_seen[c * 4 + r] * (positions[elements[element]][c] * camera.scale - camera.origin[c]);
    }
    return std::array<double, 2>{clip[0] / clip[3] * width / 2, clip[1] / clip[3] * height / 2};
  };
  double sum = 0;
  for (std::size_t i = 0; i + corners <= elements.size(); i += corners) {
    const auto a = place(i), b = place(i + 1), c = corners == 3 ? place(i + 2) : a;
    const double x = b[0] - a[0], y = b[1] - a[1], u = c[0] - a[0], v = c[1] - a[1];
    const double longest = std::max(std::hypot(x, y), std::hypot(u, v));
    const double covered = corners == 3 ? std::max(std::abs(x * v - y * u) / 2, longest) : longest * line_pixels;
    sum += covered < all ? covered : all;  // also where a corner is not before the camera
  }
  return sum;
}

}  // namespace sinew::show
