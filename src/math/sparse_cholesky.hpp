// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew {

struct SparseEntry {
  std::uint32_t row = 0, column = 0;
  double value = 0;
};

/// Solves A·X = B for a sparse, symmetric, positive definite A with `size` rows. `entries`: the lower triangle of A with its diagonal;
/// entries of the same place are added. `columns`: B, column after column; gets X. The result does not depend on `threads` (0: all cores).
/// Returns false, with B unchanged, if A is not positive definite.
[[nodiscard]] bool solve_positive_definite(std::size_t size, std::span<const SparseEntry> entries, std::span<double> columns,
                                           unsigned threads);

}  // namespace sinew
