// SPDX-License-Identifier: MIT
#include "model/local_of.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/rotation_scale.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

namespace {

/// Rotors of more dimensions are longer than the matrix.
constexpr std::size_t most_dimensions = 6;

}  // namespace

LocalTransform local_of(const Affine& map) {
  const std::size_t n = map.dimension();
  const auto linear = map.values().first(n * n), moved = map.values().subspan(n * n);
  const auto same = [](double a, double b) { return std::abs(a - b) <= transform_tolerance; };
  LocalTransform local;
  if (std::ranges::any_of(moved, [](double x) { return x != 0; })) local.translation.assign(moved);
  if (std::ranges::equal(linear, Affine(n).values().first(n * n), same)) return local;
  auto parts = n > most_dimensions ? std::nullopt : rotation_and_scale(n, linear);
  if (!parts) {
    local.basis.assign(linear);
    return local;
  }
  local.rotor.assign(parts->rotor());
  for (double& factor : parts->scale)
    if (same(factor, 1)) factor = 1;
  if (std::ranges::any_of(parts->scale, [](double factor) { return factor != 1; })) local.scale = parts->scale;
  return local;
}

}  // namespace sinew
