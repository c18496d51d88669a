// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/guard.hpp"
#include "math/decompositions.hpp"
#include "math/elimination.hpp"
#include "math/perpendicular.hpp"

#include "sinew/geometry.hpp"

namespace sinew {

namespace {

/// The vectors from a simplex's first corner to the others, one after another.
using Sides = std::array<double, max_dimension * max_dimension>;

template <class T>
Sides sides_of(strided_view<const T> positions, std::span<const std::uint32_t> corners) {
  const std::size_t n = positions.width();
  assert(n <= max_dimension && corners.size() <= n + 1);
  Sides sides{};
  for (std::size_t k = 1; k < corners.size(); ++k)
    for (std::size_t i = 0; i < n; ++i)
      sides[(k - 1) * n + i] = static_cast<double>(positions[corners[k]][i]) - static_cast<double>(positions[corners[0]][i]);
  return sides;
}

template <class T>
bool unit_normal(strided_view<const T> positions, std::span<const std::uint32_t> corners, double* out) {
  Sides sides = sides_of(positions, corners);
  return with_dimension(positions.width(), [&](auto n) { return unit_perpendicular(n, sides.data(), out); });
}

double factorial(std::size_t k) { return std::tgamma(static_cast<double>(k) + 1); }

/// Scales a vector to length 1; zeros if its length is too small to define a direction.
void normalize(std::span<double> vector) {
  double largest = 0, squares = 0;
  for (const double x : vector) largest = std::max(largest, std::abs(x));
  if (!(largest > 0) || !std::isfinite(largest)) {
    std::fill(vector.begin(), vector.end(), 0.0);
    return;
  }
  for (double& x : vector) x /= largest, squares += x * x;
  for (double& x : vector) x /= std::sqrt(squares);
}

}  // namespace

void perpendicular(std::size_t dimension, std::span<const double> vectors, std::span<double> out) noexcept {
  assert(dimension >= 1 && vectors.size() == (dimension - 1) * dimension && out.size() == dimension);
  with_dimension(dimension, [&](auto n) { perpendicular(n, vectors.data(), out.data()); });
}

template <class T>
double simplex_volume(strided_view<const T> positions, std::span<const std::uint32_t> corners) noexcept {
  if (corners.empty()) return 0;
  const Sides sides = sides_of(positions, corners);
  const std::size_t count = corners.size() - 1;
  return count == 0 ? 1 : parallelotope_volume(positions.width(), count, sides) / factorial(count);
}

template <class T>
double signed_volume(strided_view<const T> positions, std::span<const std::uint32_t> corners) noexcept {
  assert(corners.size() == positions.width() + 1);
  Sides sides = sides_of(positions, corners);
  return determinant_of(positions.width(), sides.data()) / factorial(positions.width());
}

template <class T>
void simplex_normal(strided_view<const T> positions, std::span<const std::uint32_t> corners, std::span<double> normal) noexcept {
  const std::size_t n = positions.width();
  assert(corners.size() == n && normal.size() == n);
  const Sides sides = sides_of(positions, corners);
  perpendicular(n, std::span(sides).first((n - 1) * n), normal);
}

template <class T>
void flat_normals(strided_view<const T> positions, strided_view<const std::uint32_t> simplexes, strided_view<T> normals) noexcept {
  const std::size_t n = positions.width();
  std::array<double, max_dimension> normal;
  for (std::size_t s = 0; s < simplexes.size(); ++s) {
    unit_normal(positions, {simplexes[s], simplexes.width()}, normal.data());
    std::transform(normal.data(), normal.data() + n, normals[s], [](double x) { return static_cast<T>(x); });
  }
}

template <class T>
Result<> smooth_normals(strided_view<const T> positions, strided_view<const std::uint32_t> simplexes, strided_view<T> normals) SINEW_TRY {
  const std::size_t n = positions.width();
  std::vector<double> sums(positions.size() * n);
  std::array<double, max_dimension> normal;
  for (std::size_t s = 0; s < simplexes.size(); ++s) {
    simplex_normal(positions, {simplexes[s], simplexes.width()}, std::span(normal).first(n));
    for (std::size_t c = 0; c < n; ++c)
      for (std::size_t i = 0; i < n; ++i) sums[simplexes[s][c] * n + i] += normal[i];
  }
  for (std::size_t v = 0; v < positions.size(); ++v) {
    const std::span<double> sum = std::span(sums).subspan(v * n, n);
    normalize(sum);
    std::transform(sum.begin(), sum.end(), normals[v], [](double x) { return static_cast<T>(x); });
  }
  return {};
}
SINEW_CATCH()

std::size_t first_bent_simplex(strided_view<const double> positions, std::size_t corners, std::span<const std::uint32_t> simplexes,
                               std::span<const std::size_t> runs) noexcept {
  const std::size_t n = positions.width(), count = simplexes.size() / corners;
  std::array<double, max_dimension> first, other;
  for (std::size_t run = 0; run + 1 < runs.size(); ++run) {
    bool known = false;
    for (std::size_t s = runs[run]; s < runs[run + 1]; ++s) {
      auto& normal = known ? other : first;
      if (!unit_normal(positions, simplexes.subspan(s * corners, corners), normal.data())) continue;
      known = true;
      if (std::inner_product(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(n), normal.begin(), 0.0) < 1 - 1e-4) return s;
    }
  }
  return count;
}

template double simplex_volume<float>(strided_view<const float>, std::span<const std::uint32_t>) noexcept;
template double signed_volume<float>(strided_view<const float>, std::span<const std::uint32_t>) noexcept;
template void simplex_normal<float>(strided_view<const float>, std::span<const std::uint32_t>, std::span<double>) noexcept;
template void flat_normals<float>(strided_view<const float>, strided_view<const std::uint32_t>, strided_view<float>) noexcept;
template Result<> smooth_normals<float>(strided_view<const float>, strided_view<const std::uint32_t>, strided_view<float>);
template double simplex_volume<double>(strided_view<const double>, std::span<const std::uint32_t>) noexcept;
template double signed_volume<double>(strided_view<const double>, std::span<const std::uint32_t>) noexcept;
template void simplex_normal<double>(strided_view<const double>, std::span<const std::uint32_t>, std::span<double>) noexcept;
template void flat_normals<double>(strided_view<const double>, strided_view<const std::uint32_t>, strided_view<double>) noexcept;
template Result<> smooth_normals<double>(strided_view<const double>, strided_view<const std::uint32_t>, strided_view<double>);

}  // namespace sinew
