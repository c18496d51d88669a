// SPDX-License-Identifier: MIT
#include "math/rotation_scale.hpp"

#include <cmath>

#include "base/guard.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

bool is_sheared(std::size_t n, std::span<const double> columns) {
  const auto dot = [&](std::size_t j, std::size_t k) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += columns[j * n + i] * columns[k * n + i];
    return sum;
  };
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = j + 1; k < n; ++k)
      if (std::abs(dot(j, k)) > transform_tolerance * std::sqrt(dot(j, j)) * std::sqrt(dot(k, k))) return true;
  return false;
}

std::optional<RotationScale> rotation_and_scale(std::size_t n, std::span<const double> columns) {
  if (is_sheared(n, columns)) return std::nullopt;
  RotationScale parts{SmallVector<double, 9>(n * n), SmallVector<double, 3>(n)};
  Affine rotation(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto column = columns.subspan(j * n, n);
    double square = 0;
    for (const double x : column) square += x * x;
    parts.scale[j] = std::sqrt(square);
    if (!(parts.scale[j] > 0) || !std::isfinite(parts.scale[j])) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) rotation(i, j) = column[i] / parts.scale[j];
  }
  if (determinant(rotation) < 0) {
    parts.scale[0] = -parts.scale[0];
    for (std::size_t i = 0; i < n; ++i) rotation(i, 0) = -rotation(i, 0);
  }
  parts.rotation.assign(rotation.values().first(n * n));
  return parts;
}

std::vector<double> RotationScale::rotor() const {
  std::vector<double> rotor(rotor_size(scale.size()));
  const bool done = need(rotor_from_matrix(scale.size(), rotation, rotor));
  if (!done) rotor[0] = 1;  // never: the columns are orthonormal and do not mirror
  return rotor;
}

}  // namespace sinew
