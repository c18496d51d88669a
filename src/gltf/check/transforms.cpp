// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "gltf/check/checks.hpp"
#include "math/rotation.hpp"

#include "sinew/geometry.hpp"

namespace sinew::gltf {

namespace {

using Vector = std::array<double, 3>;
using Columns = std::array<Vector, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }

// Computes the quaternion of a matrix as if it was a rotation. Other matrices give quaternions that do not have unit length.
std::array<double, 4> quaternion_of(const Columns& m) {
  std::array<double, 4> q{};
  const double trace = m[0][0] + m[1][1] + m[2][2];
  if (trace > 0) {
    const double root = std::sqrt(trace + 1);
    return {(m[1][2] - m[2][1]) / (2 * root), (m[2][0] - m[0][2]) / (2 * root), (m[0][1] - m[1][0]) / (2 * root), root / 2};
  }
  std::size_t i = 0;
  if (m[1][1] > m[0][0]) i = 1;
  if (m[2][2] > m[i][i]) i = 2;
  const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
  const double root = std::sqrt(m[i][i] - m[j][j] - m[k][k] + 1);
  q[i] = root / 2;
  q[j] = (m[i][j] + m[j][i]) / (2 * root);
  q[k] = (m[i][k] + m[k][i]) / (2 * root);
  q[3] = (m[j][k] - m[k][j]) / (2 * root);
  return q;
}

// Returns the largest sum of absolute values in a column, including the translation.
double norm(const Columns& m, const Vector& translation) {
  const auto sum = [](const Vector& column) { return std::abs(column[0]) + std::abs(column[1]) + std::abs(column[2]); };
  return std::max({sum(m[0]), sum(m[1]), sum(m[2]), sum(translation) + 1});
}

// Decomposes the matrix and composes it again, as the Khronos validator does: the norms must be equal.
bool is_trs(std::span<const double, 16> matrix) {
  if (matrix[3] != 0 || matrix[7] != 0 || matrix[11] != 0 || matrix[15] != 1) return false;
  Columns m;
  for (std::size_t column = 0; column < 3; ++column)
    for (std::size_t row = 0; row < 3; ++row) m[column][row] = static_cast<float>(matrix[column * 4 + row]);
  const Vector translation = {matrix[12], matrix[13], matrix[14]};
  const double determinant = dot(m[0], cross(m[1], m[2]));
  if (determinant == 0) return false;
  Columns turn = m;
  Vector scale;
  for (std::size_t c = 0; c < 3; ++c) {
    scale[c] = std::sqrt(dot(m[c], m[c]));
    if (c == 0 && determinant < 0) scale[c] = -scale[c];
    for (double& value : turn[c]) value /= scale[c];
  }
  Columns again;
  detail::matrix_of_rotor_3d(rotor_from_quaternion(quaternion_of(turn)).data(), 3, again.front().data());
  for (std::size_t c = 0; c < 3; ++c)
    for (double& value : again[c]) value *= scale[c];
  return std::abs(norm(again, translation) - norm(m, translation)) < 0.00005;
}

}  // namespace

void check_matrix(Checker& checker, JsonValue at, std::span<const double, 16> matrix) {
  constexpr std::array<double, 16> identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const auto rounded = [](double x) { return double{static_cast<float>(x)}; };  // the Khronos validator stores float32
  if (std::ranges::equal(matrix, identity, {}, rounded))
    checker.report("NODE_MATRIX_DEFAULT"_code, at);
  else if (!is_trs(matrix))
    checker.report("NODE_MATRIX_NON_TRS"_code, at);
}

void check_rotation(Checker& checker, JsonValue at, std::span<const double, 4> quaternion) {
  if (std::ranges::any_of(quaternion, [](double x) { return std::abs(x) > 1; })) return;  // reported as another finding
  double square = 0;
  for (const double x : quaternion) square += double{static_cast<float>(x)} * static_cast<float>(x);
  const double length = std::sqrt(square);
  if (std::abs(1 - length) > 0.00769) checker.report("ROTATION_NON_UNIT"_code, {std::abs(1 - length), "rotations"}, at, length);
}

bool is_identity(const LocalTransform& local) {
  constexpr double unit[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const auto none_but_zeros = [](double x) { return x == 0; };
  return std::ranges::all_of(local.translation, none_but_zeros) && (local.basis.empty() || std::ranges::equal(local.basis, unit)) &&
         (local.rotor.empty() || (local.rotor[0] == 1 && std::all_of(local.rotor.begin() + 1, local.rotor.end(), none_but_zeros))) &&
         std::ranges::all_of(local.scale, [](double x) { return x == 1; });
}

}  // namespace sinew::gltf
