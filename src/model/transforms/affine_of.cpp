// SPDX-License-Identifier: MIT
#include "model/transforms/affine_of.hpp"

#include "sinew/model.hpp"

namespace sinew {

Affine affine_of(std::size_t dimension, const LocalTransform& local) {
  Affine map(dimension);
  if (dimension > 0) detail::with_map_dimension(dimension, [&](auto n) { write_local(n, local, &map(0, 0)); });
  return map;
}

PoseArrays PoseArrays::part(std::size_t first, std::size_t count) const noexcept {
  const auto cut = [&](std::span<const double> all) {
    return all.empty() ? all : all.subspan(all.size() / poses * first, all.size() / poses * count);
  };
  return {count, cut(local), cut(world), cut(translation), cut(rotor), cut(scale), cut(amounts)};
}

}  // namespace sinew
