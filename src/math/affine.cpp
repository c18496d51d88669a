// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/cofactor.hpp"
#include "math/dimension.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

namespace {

using Linear3 = Eigen::Matrix3d;
using Linear = Eigen::MatrixXd;

// Calls `function` with the dimension: as a compile-time constant if it is 3, the usual one. Maps may have any.
template <class Function>
void with_three(std::size_t dimension, Function function) {
  if (dimension == 3)
    function(FixedDimension<3>{});
  else
    function(dimension);
}

template <class Matrix>
Matrix linear_of(const Affine& map) {
  const auto n = static_cast<Eigen::Index>(map.dimension());
  return Eigen::Map<const Matrix>(map.values().data(), n, n);
}

/// Inverts L and transforms t with it. Columns are first scaled to lengths in [½, 1) by powers of two, which is exact. So the test of |det|
/// against Hadamard's bound (the product of the lengths) depends on the shape of L, not on its scale.
template <class Matrix>
std::optional<Affine> inverse_of(const Affine& map) {
  const std::size_t n = map.dimension();
  Matrix linear = linear_of<Matrix>(map);
  SmallVector<double, 4> scales(n);
  for (std::size_t j = 0; j < n; ++j) {
    auto column = linear.col(static_cast<Eigen::Index>(j));
    double length = column.norm();
    if (!(length > 1e-140 && length < 1e140)) length = column.stableNorm();  // squares may be too small or too large
    if (!(length >= std::numeric_limits<double>::min()) || std::isinf(length)) return std::nullopt;
    int exponent = 0;
    std::frexp(length, &exponent);
    scales[j] = std::ldexp(1, -exponent);
    column *= scales[j];
  }
  const double bound = linear.colwise().norm().prod();
  const double tolerance = 8 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  if (!(std::abs(linear.determinant()) > tolerance * bound)) return std::nullopt;
  const Matrix inverted = linear.inverse();

  Affine out(n);
  for (std::size_t i = 0; i < n; ++i) {
    double moved = 0;
    for (std::size_t j = 0; j < n; ++j) {
      out(i, j) = inverted(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * scales[i];
      moved += out(i, j) * map.translation(j);
    }
    out.translation(i) = 0 - moved;  // not −moved: no negative zeros
  }
  if (!is_finite(out)) return std::nullopt;
  return out;
}

}  // namespace

Affine::Affine(std::size_t dimension) : dimension_(dimension), values_(dimension * (dimension + 1)) {
  for (std::size_t i = 0; i < dimension; ++i) (*this)(i, i) = 1;
}

Affine::Affine(std::size_t dimension, std::span<const double> columns) : dimension_(dimension), values_(columns) {
  assert(columns.size() == dimension * (dimension + 1));
}

void Affine::apply(std::span<const double> point, std::span<double> out) const {
  assert(point.size() == dimension_ && out.size() == dimension_);
  const double* columns = values_.data();
  const SmallVector<double, 4> copy(point);
  const double* from = copy.data();
  with_three(dimension_, [&](auto n) {
    for (std::size_t i = 0; i < n; ++i) {
      double value = columns[n * n + i];
      for (std::size_t j = 0; j < n; ++j) value += columns[j * n + i] * from[j];
      out[i] = value;
    }
  });
}

Affine operator*(const Affine& a, const Affine& b) {
  assert(a.dimension() == b.dimension());
  Affine out(a.dimension());
  const double *left = a.values_.data(), *right = b.values_.data();
  double* product = out.values_.data();
  with_three(a.dimension(), [&](auto n) {
    for (std::size_t j = 0; j <= n; ++j) {  // the image of each column; the last column is a point and also gets the translation
      for (std::size_t i = 0; i < n; ++i) {
        double value = j == n ? left[n * n + i] : 0;
        for (std::size_t k = 0; k < n; ++k) value += left[k * n + i] * right[j * n + k];
        product[j * n + i] = value;
      }
    }
  });
  return out;
}

double determinant(const Affine& map) {
  if (map.dimension() == 0) return 1;
  return map.dimension() == 3 ? linear_of<Linear3>(map).determinant() : linear_of<Linear>(map).determinant();
}

std::optional<Affine> inverse(const Affine& map) {
  if (!is_finite(map)) return std::nullopt;
  if (map.dimension() == 0) return map;
  return map.dimension() == 3 ? inverse_of<Linear3>(map) : inverse_of<Linear>(map);
}

void cofactor(const Affine& map, std::span<double> out) {
  const std::size_t n = map.dimension();
  assert(out.size() == n * n);
  with_dimension(n, [&](auto dimension) { cofactor(dimension, map.values().data(), n, out.data()); });
}

bool is_finite(const Affine& map) {
  return std::all_of(map.values().begin(), map.values().end(), [](double value) { return std::isfinite(value); });
}

}  // namespace sinew
