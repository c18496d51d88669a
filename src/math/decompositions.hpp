// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

namespace sinew {

// Decompositions that need more care than a loop: Eigen's. Matrices are column-major.

/// Computes the real Schur form M = U·T·Uᵀ of an n×n matrix with entries near 1, n ≤ 16.
void real_schur(std::size_t n, std::span<const double> m, std::span<double> t, std::span<double> u);

/// Returns the volume of the parallelotope that `count` ≤ n vectors of n ≤ 16 numbers span.
[[nodiscard]] double parallelotope_volume(std::size_t n, std::size_t count, std::span<const double> vectors);

}  // namespace sinew
