// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>

#include "base/guard.hpp"
#include "math/map_columns.hpp"
#include "math/rotation.hpp"

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace sinew {

/// Writes the N·(N+1) numbers of a local transform (Affine::values).
template <class D>
void write_local(D n, const LocalTransform& local, double* map) {
  const std::size_t linear = n * n;
  if (!local.basis.empty()) {
    assert(local.basis.size() == linear);
    std::copy_n(local.basis.data(), linear, map);
  } else {
    if (std::is_same_v<D, FixedDimension<3>> && local.rotor.size() == 4)
      detail::matrix_of_rotor_3d(local.rotor.data(), 3, map);
    else if (!local.rotor.empty())
      need(matrix_from_rotor(n, local.rotor, std::span(map, linear)));
    else
      for (std::size_t i = 0; i < linear; ++i) map[i] = i % (n + 1) == 0 ? 1 : 0;
    if (!local.scale.empty())
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) map[j * n + i] *= local.scale.data()[j];
  }
  for (std::size_t i = 0; i < n; ++i) map[linear + i] = local.translation.empty() ? 0 : local.translation.data()[i];
}

}  // namespace sinew
