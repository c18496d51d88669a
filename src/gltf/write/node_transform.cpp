// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>

#include "gltf/write/update_steps.hpp"
#include "math/length.hpp"
#include "math/rotation_scale.hpp"

#include "sinew/geometry.hpp"

namespace sinew::gltf {
namespace {

using Basis = std::array<double, 9>;  // columns

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

/// Approximates a sheared basis by rotation and scale (Gram–Schmidt): keeps the first axis. A negative determinant negates the last scale.
void set_unsheared(const Basis& basis, NodeTransform& to) {
  Basis axes = basis;
  const auto dot = [](const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const double part = dot(&axes[0], &axes[3]) / dot(&axes[0], &axes[0]);
  for (std::size_t r = 0; r < 3; ++r) axes[3 + r] -= part * axes[r];
  for (std::size_t r = 0; r < 3; ++r) axes[6 + r] = axes[(r + 1) % 3] * axes[3 + (r + 2) % 3] - axes[(r + 2) % 3] * axes[3 + (r + 1) % 3];
  const auto parts = rotation_and_scale(3, axes);
  if (!parts) return;  // flat: has no unique rotation
  std::array<double, 4> rotor;
  std::ranges::copy(parts->rotor(), rotor.begin());
  const auto rotation = quaternion_from_rotor(rotor);
  for (const double value : rotation) to.rotation.push_back(value + 0.0);  // avoids "-0" from the change of signs
  to.scale = {parts->scale[0], parts->scale[1], dot(&basis[6], &parts->rotation[6])};
}

void set_basis(const LocalTransform& local, NodeTransform& to) {
  Basis basis;
  std::ranges::copy(local.basis, basis.begin());
  if (is_sheared(3, basis)) {  // a glTF matrix must be a product of translation, rotation and scale
    to.note = "its transform is sheared, and glTF cannot store shear; the nearest rotation and scale are written";
    return set_unsheared(basis, to);
  }
  to.matrix.assign(16, 0.0);
  for (std::size_t i = 0; i < 9; ++i) to.matrix[i / 3 * 4 + i % 3] = local.basis[i];
  std::ranges::copy(to.translation, to.matrix.begin() + 12);
  to.matrix[15] = 1;
  to.translation.clear();
}

void set_rotation(const LocalTransform& local, NodeTransform& to) {
  std::array<double, 4> rotor{};
  std::copy_n(local.rotor.begin(), std::min<std::size_t>(4, local.rotor.size()), rotor.begin());
  std::array<double, 4> q = quaternion_from_rotor(rotor);
  const double length = length_of(q);
  // Rotations are used as stored, even if quantisation or interpolation made them slightly too long or short. But a larger difference from
  // unit length (the Khronos glTF-Validator allows 0.00769) or a component above 1 is an error.
  constexpr double tolerance = 0.005;
  const bool too_far = std::abs(length - 1) > tolerance;
  if (too_far) to.note = "its rotation does not have unit length; the normalized rotation is written";
  if (!(length > 0)) return;
  if (too_far || std::ranges::any_of(q, [](double value) { return std::abs(value) > 1; }))
    for (double& value : q) value = std::clamp(value / length, -1.0, 1.0);
  for (double& value : q) value += 0.0;  // avoids "-0" from the change of signs
  if (q != std::array<double, 4>{0, 0, 0, 1}) to.rotation.assign(q.begin(), q.end());
}

}  // namespace

NodeTransform node_transform(const LocalTransform& local) {
  NodeTransform result;
  if (!all_finite(local.translation) || !all_finite(local.rotor) || !all_finite(local.scale) || !all_finite(local.basis)) {
    result.note = "its transform is not finite and is left out";
    return result;
  }
  const auto set = [](std::vector<double>& to, std::span<const double> values, double neutral) {
    if (std::ranges::any_of(values, [&](double value) { return value != neutral; })) to.assign(values.begin(), values.end());
  };
  set(result.translation, local.translation, 0);
  if (local.basis.size() == 9) {
    set_basis(local, result);
    return result;
  }
  if (!local.rotor.empty()) set_rotation(local, result);
  set(result.scale, local.scale, 1);
  return result;
}

}  // namespace sinew::gltf
