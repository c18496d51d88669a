// SPDX-License-Identifier: MIT
#include "math/sparse_cholesky.hpp"

#ifndef SINEW_ONLY_3D  // which is without Eigen; only tools call this

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <vector>

#include "base/parallel.hpp"

namespace sinew {

bool solve_positive_definite(std::size_t size, std::span<const SparseEntry> entries, std::span<double> columns, unsigned threads) {
  if (size == 0 || columns.empty()) return true;
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries.size());
  for (const SparseEntry& entry : entries) triplets.emplace_back(static_cast<int>(entry.row), static_cast<int>(entry.column), entry.value);
  const auto rows = static_cast<Eigen::Index>(size);
  Eigen::SparseMatrix<double> matrix(rows, rows);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::AMDOrdering<int>> factor(matrix);
  if (factor.info() != Eigen::Success) return false;
  parallel_for(columns.size() / size, 1, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t column = first; column < last; ++column) {
      Eigen::Map<Eigen::VectorXd> values(columns.data() + column * size, rows);
      values = Eigen::VectorXd(factor.solve(Eigen::VectorXd(values)));
    }
  });
  return true;
}

}  // namespace sinew

#endif
