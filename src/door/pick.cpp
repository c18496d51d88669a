// SPDX-License-Identifier: MIT
#include "sinew/pick.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

using Point = std::array<double, 3>;

double dot_of(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// The volume of the direction and two corners, seen from the origin. Exactly the negative if the corners change places, so a ray at an
/// edge is on the same side of it for both triangles.
double side_of(const Point& direction, const Point& a, const Point& b) {
  return direction[0] * (a[1] * b[2] - a[2] * b[1]) + direction[1] * (a[2] * b[0] - a[0] * b[2]) +
         direction[2] * (a[0] * b[1] - a[1] * b[0]);
}

}  // namespace

std::optional<RayHit> hit(const Ray& ray, std::span<const float> positions, std::span<const std::uint32_t> triangles,
                          std::span<const InstanceRows> instances) noexcept {
  const double squared = dot_of(ray.direction, ray.direction);
  assert(squared > 0);
  std::optional<RayHit> nearest;
  for (std::size_t t = 0; 3 * t + 2 < triangles.size(); ++t) {
    std::array<Point, 3> corners;  // seen from the origin
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t c = 0; c < 3; ++c)
        corners[k][c] = static_cast<double>(positions[3 * std::size_t{triangles[3 * t + k]} + c]) - ray.origin[c];
    const double a = side_of(ray.direction, corners[1], corners[2]), b = side_of(ray.direction, corners[2], corners[0]),
                 c = side_of(ray.direction, corners[0], corners[1]), sum = a + b + c;
    const bool inside = (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
    if (!inside || !(std::abs(sum) > 0) || !std::isfinite(sum)) continue;
    RayHit found{0, t, {a / sum, b / sum, c / sum}, 0};
    for (std::size_t k = 0; k < 3; ++k) found.distance += found.barycentric[k] * dot_of(corners[k], ray.direction) / squared;
    if (found.distance >= 0 && (!nearest || found.distance < nearest->distance)) nearest = found;
  }
  if (!nearest) return nearest;
  const std::size_t row = triangles[3 * nearest->triangle];
  const auto after = std::ranges::upper_bound(instances, row, {}, &InstanceRows::first);
  nearest->instance = static_cast<std::size_t>(after - instances.begin()) - (after == instances.begin() ? 0 : 1);
  return nearest;
}

void bone_boxes(const RowInfluences& influences, std::span<const float> positions, std::size_t dimension, std::span<float> boxes,
                double above) noexcept {
  const std::size_t rows = influences.first.size() - 1;
  assert(positions.size() == rows * dimension && boxes.size() % (2 * dimension) == 0);
  std::ranges::fill(boxes, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t row = 0; row < rows; ++row) {
    const float* const at = positions.data() + row * dimension;
    for (std::size_t i = influences.first[row]; i < influences.first[row + 1]; ++i) {
      if (!(std::abs(static_cast<double>(influences.weights[i])) > above)) continue;
      float* const low = boxes.data() + 2 * dimension * influences.nodes[i];
      for (std::size_t c = 0; c < dimension; ++c) {
        low[c] = std::fmin(low[c], at[c]);  // of a number and NaN, the number
        low[dimension + c] = std::fmax(low[dimension + c], at[c]);
      }
    }
  }
}

}  // namespace sinew
