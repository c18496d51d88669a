// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/guard.hpp"
#include "math/blades.hpp"
#include "math/rotation.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

namespace {

/// I + 2·s·A + 2·A², A(j, i) = e_ij for i < j: exact for the simple rotors of up to three dimensions, with the formula of glTF.
void simple_matrix(std::size_t n, std::span<const double> rotor, std::span<double> m) {
  const auto part = [&](std::size_t i) { return i < rotor.size() ? rotor[i] : 0.0; };
  if (n == 1) m[0] = 1;
  if (n == 2) {
    const double s = part(0), b = part(1);
    m[0] = m[3] = 1 - 2 * b * b;
    m[1] = 2 * s * b;
    m[2] = -2 * s * b;
  }
  if (n == 3) {
    const double numbers[] = {part(0), part(1), part(2), part(3)};
    detail::matrix_of_rotor_3d(numbers, 3, m.data());
  }
}

/// Computes reverse(R)·e_j·R with bit masks. For every blade A of R, only the blade B = A xor i xor j contributes to e_i. With X = A xor j:
/// e_A·e_j = ± e_X, and e_X·e_(X xor i) = ± e_X·e_X·e_i = ± e_i, so each sign needs three bit counts.
void sandwich_matrix(std::size_t n, std::span<const double> rotor, std::span<double> m) {
  const Blades by_mask = by_mask_of(n, rotor);
  std::fill(m.begin(), m.end(), 0.0);
  for (Mask blade = 0; blade < (Mask{1} << n); ++blade) {
    if (by_mask[blade] == 0) continue;  // odd ones too
    for (std::size_t j = 0; j < n; ++j) {
      const Mask x = blade ^ (Mask{1} << j);
      const double left = by_mask[blade] * reverse_sign(blade) * append_sign(blade, j) * reverse_sign(x);
      for (std::size_t i = 0; i < n; ++i) m[j * n + i] += left * append_sign(x, i) * by_mask[x ^ (Mask{1} << i)];
    }
  }
}

}  // namespace

Quaternion Quaternion::about(const std::array<double, 3>& axis, double radians) noexcept {
  const double part = std::sin(radians / 2) / std::hypot(axis[0], axis[1], axis[2]);
  return {axis[0] * part, axis[1] * part, axis[2] * part, std::cos(radians / 2)};
}

Rotor Rotor::in_plane(std::size_t from, std::size_t to, double radians) {
  assert(from != to && from < 16 && to < 16);
  const std::size_t low = std::min(from, to), high = std::max(from, to);
  Rotor rotor;
  rotor.values.assign(rotor_size_bivector(high + 1), 0.0);
  rotor.values[0] = std::cos(radians / 2);
  rotor.values[1 + high * (high - 1) / 2 + low] = std::sin(from < to ? radians / 2 : -radians / 2);
  return rotor;
}

Result<> matrix_from_rotor(std::size_t dimension, std::span<const double> rotor, std::span<double> matrix) SINEW_TRY {
  assert(dimension <= 16 && matrix.size() == dimension * dimension);
  if (dimension <= 3)
    simple_matrix(dimension, rotor, matrix);
  else
    sandwich_matrix(dimension, rotor, matrix);
  return {};
}
SINEW_CATCH()

void slerp(std::span<const double> a, std::span<const double> b, double t, std::span<double> out) noexcept {
  assert(a.size() == b.size() && out.size() == a.size());
  detail::slerp(a.size(), a.data(), b.data(), t, out.data());
}

}  // namespace sinew
