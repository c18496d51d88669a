// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>

#include "gltf/write/update_steps.hpp"

#include "sinew/geometry.hpp"

namespace sinew::gltf {
namespace {

using Vec3 = std::array<double, 3>;
using Quaternion = std::array<double, 4>;

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

/// Converts a rotation matrix (orthonormal columns) to a unit quaternion, from the largest of the four squares (S. W. Shepperd, 1978).
Quaternion quaternion_of(const std::array<Vec3, 3>& columns) {
  const auto m = [&](std::size_t row, std::size_t column) { return columns[column][row]; };
  const double trace = m(0, 0) + m(1, 1) + m(2, 2);
  Quaternion q;
  std::size_t i = 3;
  if (trace <= m(0, 0) || trace <= m(1, 1) || trace <= m(2, 2)) {
    i = 0;
    if (m(1, 1) > m(i, i)) i = 1;
    if (m(2, 2) > m(i, i)) i = 2;
  }
  if (i == 3) {
    q = {m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1), 1 + trace};
  } else {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1 + m(i, i) - m(j, j) - m(k, k);
    q[j] = m(i, j) + m(j, i);
    q[k] = m(k, i) + m(i, k);
    q[3] = m(k, j) - m(j, k);
  }
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& value : q) value /= length;
  return q;
}

/// Approximates a sheared basis by rotation and scale (Gram–Schmidt): keeps the first axis. A negative determinant negates the last scale.
void set_unsheared(const std::array<Vec3, 3>& basis, NodeTransform& to) {
  std::array<Vec3, 3> axes = basis;
  Vec3 scale{};
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t before = 0; before < c; ++before) {
      const double part = dot(axes[c], axes[before]);
      for (std::size_t r = 0; r < 3; ++r) axes[c][r] -= part * axes[before][r];
    }
    scale[c] = std::sqrt(dot(axes[c], axes[c]));
    if (!(scale[c] > 0)) return;  // flat: has no unique rotation
    for (double& value : axes[c]) value /= scale[c];
  }
  const Vec3 last = {axes[0][1] * axes[1][2] - axes[0][2] * axes[1][1], axes[0][2] * axes[1][0] - axes[0][0] * axes[1][2],
                     axes[0][0] * axes[1][1] - axes[0][1] * axes[1][0]};
  scale[2] = dot(basis[2], last);
  axes[2] = last;
  to.rotation = quaternion_of(axes);
  to.scale = scale;
}

/// glTF requires matrices that are products of translation, rotation and scale, so columns must be orthogonal.
bool has_orthogonal_columns(const std::array<Vec3, 3>& basis) {
  constexpr double tolerance = 1e-5;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a + 1; b < 3; ++b)
      if (std::abs(dot(basis[a], basis[b])) > tolerance * std::sqrt(dot(basis[a], basis[a]) * dot(basis[b], basis[b]))) return false;
  return true;
}

void set_basis(const LocalTransform& local, NodeTransform& to) {
  std::array<Vec3, 3> basis;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t r = 0; r < 3; ++r) basis[c][r] = local.basis[c * 3 + r];
  if (!has_orthogonal_columns(basis)) {
    to.note = "its transform is sheared, and glTF cannot store shear; the nearest rotation and scale are written";
    return set_unsheared(basis, to);
  }
  std::array<double, 16> matrix{};
  for (std::size_t c = 0; c < 3; ++c) std::ranges::copy(basis[c], matrix.begin() + static_cast<std::ptrdiff_t>(c * 4));
  const Vec3 translation = to.translation.value_or(Vec3{});
  std::ranges::copy(translation, matrix.begin() + 12);
  matrix[15] = 1;
  to.translation.reset();
  to.matrix = matrix;
}

void set_rotation(const LocalTransform& local, NodeTransform& to) {
  std::array<double, 4> rotor{};
  std::copy_n(local.rotor.begin(), std::min<std::size_t>(4, local.rotor.size()), rotor.begin());
  Quaternion q = quaternion_from_rotor(rotor);
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  // Rotations are used as stored, even if quantisation or interpolation made them slightly too long or short. But a larger difference from
  // unit length (the Khronos glTF-Validator allows 0.00769) or a component above 1 is an error.
  constexpr double tolerance = 0.005;
  const bool too_far = std::abs(length - 1) > tolerance;
  if (too_far) to.note = "its rotation does not have unit length; the normalized rotation is written";
  if (!(length > 0)) return;
  if (too_far || std::ranges::any_of(q, [](double value) { return std::abs(value) > 1; }))
    for (double& value : q) value = std::clamp(value / length, -1.0, 1.0);
  for (double& value : q) value += 0.0;  // avoids "-0" from the change of signs
  if (q != Quaternion{0, 0, 0, 1}) to.rotation = q;
}

}  // namespace

NodeTransform node_transform(const LocalTransform& local) {
  NodeTransform result;
  if (!all_finite(local.translation) || !all_finite(local.rotor) || !all_finite(local.scale) || !all_finite(local.basis)) {
    result.note = "its transform is not finite and is left out";
    return result;
  }
  const auto vec3 = [](std::span<const double> values) { return Vec3{values[0], values[1], values[2]}; };
  if (local.translation.size() == 3 && vec3(local.translation) != Vec3{}) result.translation = vec3(local.translation);
  if (local.basis.size() == 9) {
    set_basis(local, result);
    return result;
  }
  if (!local.rotor.empty()) set_rotation(local, result);
  if (local.scale.size() == 3 && vec3(local.scale) != Vec3{1, 1, 1}) result.scale = vec3(local.scale);
  return result;
}

}  // namespace sinew::gltf
