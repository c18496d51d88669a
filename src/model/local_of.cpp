// SPDX-License-Identifier: MIT
#include "model/local_of.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/geometry.hpp"

namespace sinew {

namespace {

constexpr double rounding = 1e-7;  // the precision of products of float32 matrices

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference = std::max(difference, std::abs(a[i] - b[i]));
  return difference;
}

}  // namespace

LocalTransform local_of(const Affine& map) {
  const std::size_t n = map.dimension();
  const auto linear = map.values().first(n * n), moved = map.values().subspan(n * n);
  LocalTransform local;
  if (std::ranges::any_of(moved, [](double x) { return x != 0; })) local.translation.assign(moved);
  if (largest_difference(linear, Affine(n).values().first(n * n)) <= rounding) return local;
  std::vector<double> scale(n), rotation(linear.begin(), linear.end()), rotor(rotor_size(n));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) scale[j] = std::hypot(scale[j], map(i, j));
    if (std::abs(scale[j] - 1) <= rounding) scale[j] = 1;
    for (std::size_t i = 0; i < n; ++i) rotation[j * n + i] /= scale[j];
  }
  LocalTransform simple = local;
  if (n < 7 && std::ranges::all_of(scale, [](double x) { return x > 0; }) && rotor_from_matrix(n, rotation, rotor)) {
    if (std::ranges::any_of(scale, [](double x) { return x != 1; })) simple.scale.assign(std::span<const double>(scale));
    simple.rotor.assign(std::span<const double>(rotor));
    const double size = std::ranges::max(scale);
    if (largest_difference(affine_of(n, simple).values().first(n * n), linear) <= rounding * size) return simple;
  }
  local.basis.assign(linear);
  return local;
}

}  // namespace sinew
