// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>

#include "gltf/write/update_steps.hpp"
#include "math/length.hpp"
#include "math/perpendicular.hpp"
#include "math/shear.hpp"

#include "sinew/geometry.hpp"

namespace sinew::gltf {
namespace {

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

/// Approximates a sheared basis by rotation and scale (Gram–Schmidt): keeps the first axis. A negative determinant negates the last scale.
void set_unsheared(std::span<const double> basis, NodeTransform& to) {
  std::array<double, 9> axes;
  std::ranges::copy(basis, axes.begin());
  const auto axis = [&](std::size_t c) { return std::span(axes).subspan(c * 3, 3); };
  const auto dot = [](std::span<const double> a, std::span<const double> b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  std::vector<double> scale(3);
  for (std::size_t c = 0; c < 2; ++c) {
    const double part = c == 0 ? 0 : dot(axis(1), axis(0));
    for (std::size_t r = 0; r < 3; ++r) axis(c)[r] -= part * axis(0)[r];
    scale[c] = length_of(axis(c));
    if (!(scale[c] > 0)) return;  // flat: has no unique rotation
    for (double& value : axis(c)) value /= scale[c];
  }
  perpendicular(FixedDimension<3>(), axes.data(), axis(2).data());
  scale[2] = dot(basis.subspan(6), axis(2));
  std::array<double, 4> rotor;
  if (!rotor_from_matrix(3, axes, rotor)) return;
  std::array<double, 4> rotation = quaternion_from_rotor(rotor);
  for (double& value : rotation) value += 0.0;  // avoids "-0" from the change of signs
  to.rotation.assign(rotation.begin(), rotation.end());
  to.scale = std::move(scale);
}

/// glTF requires matrices that are products of translation, rotation and scale, so columns must be orthogonal.
void set_basis(const LocalTransform& local, NodeTransform& to) {
  if (constexpr double rounding = 1e-5; is_sheared(3, local.basis, rounding)) {
    to.note = "its transform is sheared, and glTF cannot store shear; the nearest rotation and scale are written";
    return set_unsheared(local.basis, to);
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
