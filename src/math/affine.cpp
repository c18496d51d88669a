// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/cofactor.hpp"
#include "math/dimension.hpp"
#include "math/elimination.hpp"
#include "math/map_columns.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

namespace {

using Linear = SmallVector<double, 16>;  // column-major

Linear linear_of(const Affine& map) { return Linear(std::span<const double>(map.values()).first(map.dimension() * map.dimension())); }

/// Returns the length of a vector whose squares may be too small or too large.
double stable_length(std::size_t n, const double* vector) {
  double largest = 0, squares = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(vector[i]));
  if (!(largest > 0)) return 0;
  for (std::size_t i = 0; i < n; ++i) squares += vector[i] / largest * (vector[i] / largest);
  return largest * std::sqrt(squares);
}

double length_of(std::size_t n, const double* vector) { return std::sqrt(std::inner_product(vector, vector + n, vector, 0.0)); }

/// Returns entry (i, j) of the cofactor matrix of a 3×3 matrix.
double cofactor_3d(const double* m, std::size_t i, std::size_t j) {
  const std::size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
  return m[c * 3 + a] * m[d * 3 + b] - m[d * 3 + a] * m[c * 3 + b];
}

double determinant_3d(const double* m) {
  const auto part = [m](std::size_t a, std::size_t b, std::size_t c) {
    return m[3 * a] * (m[3 * b + 1] * m[3 * c + 2] - m[3 * c + 1] * m[3 * b + 2]);
  };
  return part(0, 1, 2) - part(1, 0, 2) + part(2, 0, 1);
}

/// Inverts an n×n matrix whose determinant is large enough. In three dimensions by cofactors, else by elimination.
Linear inverse_of(std::size_t n, const Linear& matrix) {
  Linear out(n * n);
  if (n == 3) {
    const double* m = matrix.data();
    const double first[] = {cofactor_3d(m, 0, 0), cofactor_3d(m, 1, 0), cofactor_3d(m, 2, 0)};
    const double inverted = 1 / (first[0] * m[0] + first[1] * m[1] + first[2] * m[2]);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) out[j * 3 + i] = cofactor_3d(m, j, i) * inverted;
    return out;
  }
  Linear lu = matrix;
  for (std::size_t i = 0; i < n; ++i) out[i * n + i] = 1;
  eliminate(n, lu.data(), [&](std::size_t a, std::size_t b) {
    for (std::size_t j = 0; j < n; ++j) std::swap(out[j * n + a], out[j * n + b]);
  });
  for (std::size_t c = 0; c < n; ++c) {
    double* const x = out.data() + c * n;
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = k + 1; i < n; ++i) x[i] -= lu[k * n + i] * x[k];
    for (std::size_t k = n; k-- > 0;) {
      x[k] *= 1 / lu[k * n + k];
      for (std::size_t i = 0; i < k; ++i) x[i] -= lu[k * n + i] * x[k];
    }
  }
  return out;
}

/// Inverts L and transforms t with it. Columns are first scaled to lengths in [½, 1) by powers of two, which is exact. So the test of |det|
/// against Hadamard's bound (the product of the lengths) depends on the shape of L, not on its scale.
std::optional<Affine> inverse_of(const Affine& map) {
  const std::size_t n = map.dimension();
  Linear linear = linear_of(map);
  SmallVector<double, 4> scales(n);
  double bound = 1;
  for (std::size_t j = 0; j < n; ++j) {
    double* const column = linear.data() + j * n;
    double length = length_of(n, column);
    if (!(length > 1e-140 && length < 1e140)) length = stable_length(n, column);
    if (!(length >= std::numeric_limits<double>::min()) || std::isinf(length)) return std::nullopt;
    int exponent = 0;
    std::frexp(length, &exponent);
    scales[j] = std::ldexp(1, -exponent);
    for (std::size_t i = 0; i < n; ++i) column[i] *= scales[j];
    bound *= length_of(n, column);
  }
  const double tolerance = 8 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  Linear copy = linear;
  const double determinant = n == 3 ? determinant_3d(linear.data()) : determinant_of(n, copy.data());
  if (!(std::abs(determinant) > tolerance * bound)) return std::nullopt;
  const Linear inverted = inverse_of(n, linear);

  Affine out(n);
  for (std::size_t i = 0; i < n; ++i) {
    double moved = 0;
    for (std::size_t j = 0; j < n; ++j) {
      out(i, j) = inverted[j * n + i] * scales[i];
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

void Affine::apply(std::span<const double> point, std::span<double> out) const noexcept {
  assert(point.size() == dimension_ && out.size() == dimension_);
  const double* columns = values_.data();
  std::array<double, max_dimension> from{};
  std::ranges::copy(point, from.begin());
  detail::with_map_dimension(dimension_, [&](auto n) {
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
  detail::with_map_dimension(a.dimension(),
                             [&](auto n) { detail::multiply_columns(n, a.values_.data(), b.values_.data(), out.values_.data(), n); });
  return out;
}

double determinant(const Affine& map) noexcept {
  if (map.dimension() == 0) return 1;
  std::array<double, max_dimension * max_dimension> linear{};
  std::ranges::copy(map.values().first(map.dimension() * map.dimension()), linear.begin());
  return map.dimension() == 3 ? determinant_3d(linear.data()) : determinant_of(map.dimension(), linear.data());
}

std::optional<Affine> inverse(const Affine& map) {
  if (!is_finite(map)) return std::nullopt;
  if (map.dimension() == 0) return map;
  return inverse_of(map);
}

void cofactor(const Affine& map, std::span<double> out) noexcept {
  const std::size_t n = map.dimension();
  assert(out.size() == n * n);
  with_dimension(n, [&](auto dimension) { cofactor(dimension, map.values().data(), n, out.data()); });
}

bool is_finite(const Affine& map) noexcept {
  return std::all_of(map.values().begin(), map.values().end(), [](double value) { return std::isfinite(value); });
}

}  // namespace sinew
