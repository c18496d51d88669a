// SPDX-License-Identifier: MIT
#include "math/decompositions.hpp"

#ifdef SINEW_ONLY_3D

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "math/dimension.hpp"

namespace sinew {

// The longest of what is left comes next, and is taken out of the others: the steps of a QR decomposition with pivots.
double parallelotope_volume(std::size_t n, std::size_t count, std::span<const double> vectors) {
  assert(vectors.size() >= n * count);
  std::array<double, max_dimension * max_dimension> left{};
  std::copy_n(vectors.begin(), n * count, left.begin());
  const auto dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += left[a * n + i] * left[b * n + i];
    return sum;
  };
  double volume = 1;
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t longest = k;
    for (std::size_t j = k + 1; j < count; ++j)
      if (dot(j, j) > dot(longest, longest)) longest = j;
    for (std::size_t i = 0; i < n; ++i) std::swap(left[k * n + i], left[longest * n + i]);
    const double square = dot(k, k);
    volume *= std::sqrt(square);
    if (!(square > 0)) return volume;
    for (std::size_t j = k + 1; j < count; ++j) {
      const double part = dot(k, j) / square;
      for (std::size_t i = 0; i < n; ++i) left[j * n + i] -= part * left[k * n + i];
    }
  }
  return volume;
}

}  // namespace sinew

#else

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

constexpr std::size_t most_rows = 16;
using EigenMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_rows, most_rows>;

Eigen::Map<const EigenMatrix> matrix_at(std::span<const double> values, std::size_t rows, std::size_t columns) {
  assert(values.size() >= rows * columns);
  return {values.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

/// Multiplies m from the left by the reflection 1 − factor·v·vᵀ; v is zero before `first`.
void reflect(EigenMatrix& m, const std::array<double, most_rows>& v, Eigen::Index first, double factor) {
  for (Eigen::Index j = 0; j < m.cols(); ++j) {
    double dot = 0;
    for (Eigen::Index i = first; i < m.rows(); ++i) dot += v[static_cast<std::size_t>(i)] * m(i, j);
    for (Eigen::Index i = first; i < m.rows(); ++i) m(i, j) -= factor * dot * v[static_cast<std::size_t>(i)];
  }
}

/// Computes M = Q·H·Qᵀ by reflections, with zeros in H below its first subdiagonal. Returns Qᵀ. (Golub and Van Loan, Matrix
/// Computations, section 7.4. Eigen's function is made for large matrices, and takes longer to compile than the rest of this module.)
EigenMatrix make_hessenberg(EigenMatrix& h) {
  const Eigen::Index n = h.rows();
  EigenMatrix q = EigenMatrix::Identity(n, n);
  for (Eigen::Index k = 0; k + 2 < n; ++k) {
    std::array<double, most_rows> v{};
    double rest = 0;
    for (Eigen::Index i = k + 1; i < n; ++i) v[static_cast<std::size_t>(i)] = h(i, k);
    for (Eigen::Index i = k + 2; i < n; ++i) rest += h(i, k) * h(i, k);
    double& first = v[static_cast<std::size_t>(k + 1)];
    if (!(rest > std::numeric_limits<double>::min())) continue;
    const double length = std::sqrt(first * first + rest), factor = 1 / (length * (length + std::abs(first)));
    first += std::copysign(length, first);
    reflect(h, v, k + 1, factor);
    h.transposeInPlace();
    reflect(h, v, k + 1, factor);
    h.transposeInPlace();
    reflect(q, v, k + 1, factor);
    for (Eigen::Index i = k + 2; i < n; ++i) h(i, k) = 0;
  }
  return q;
}

}  // namespace

void real_schur(std::size_t n, std::span<const double> m, std::span<double> t, std::span<double> u) {
  EigenMatrix h = matrix_at(m, n, n);
  const EigenMatrix q = make_hessenberg(h).transpose();
  Eigen::RealSchur<EigenMatrix> schur(h.rows());
  schur.computeFromHessenberg(h, q, true);
  std::copy_n(schur.matrixT().data(), n * n, t.data());
  std::copy_n(schur.matrixU().data(), n * n, u.data());
}

double parallelotope_volume(std::size_t n, std::size_t count, std::span<const double> vectors) {
  const Eigen::ColPivHouseholderQR<EigenMatrix> qr(matrix_at(vectors, n, count));
  double volume = 1;
  for (Eigen::Index i = 0; i < static_cast<Eigen::Index>(count); ++i) volume *= std::abs(qr.matrixQR()(i, i));
  return volume;
}

}  // namespace sinew

#endif
