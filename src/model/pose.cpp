// SPDX-License-Identifier: MIT
#include "base/guard.hpp"

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace sinew {

Affine affine_of(std::size_t dimension, const LocalTransform& local) {
  Affine map(dimension);
  const std::size_t linear = dimension * dimension;
  if (!local.basis.empty()) {
    assert(local.basis.size() == linear);
    for (std::size_t i = 0; i < linear; ++i) map(i % dimension, i / dimension) = local.basis[i];
  } else {
    if (!local.rotor.empty()) {
      SmallVector<double, 16> matrix(linear);
      need(matrix_from_rotor(dimension, local.rotor, matrix));
      for (std::size_t i = 0; i < linear; ++i) map(i % dimension, i / dimension) = matrix[i];
    }
    if (!local.scale.empty())
      for (std::size_t j = 0; j < dimension; ++j)
        for (std::size_t i = 0; i < dimension; ++i) map(i, j) *= local.scale[j];
  }
  if (!local.translation.empty())
    for (std::size_t i = 0; i < dimension; ++i) map.translation(i) = local.translation[i];
  return map;
}

PoseArrays PoseArrays::part(std::size_t first, std::size_t count) const noexcept {
  const auto cut = [&](std::span<const double> all) {
    return all.empty() ? all : all.subspan(all.size() / poses * first, all.size() / poses * count);
  };
  return {count, cut(local), cut(world), cut(translation), cut(rotor), cut(scale), cut(amounts)};
}

}  // namespace sinew
