// SPDX-License-Identifier: MIT
#include "deform/smooth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/dimension.hpp"
#include "math/perpendicular.hpp"

namespace sinew::deform {

namespace {

constexpr std::size_t lanes = 64;  // vertices that become units together, in vectors of the compiler

/// The sums of up to `lanes` vertices, each axis on its own.
template <class D>
using Sums = std::array<std::array<double, lanes>, capacity_of<D>>;

template <class D>
void normals_of_simplexes(D n, const strided_view<float>& positions, std::span<const std::uint32_t> corners, double* out) {
  std::array<double, capacity_of<D> * capacity_of<D>> sides{};
  for (std::size_t s = 0; s < corners.size(); s += n) {
    const float* const origin = positions[corners[s]];
    for (std::size_t k = 1; k < n; ++k) {
      const float* const corner = positions[corners[s + k]];
      for (std::size_t i = 0; i < n; ++i) sides[(k - 1) * n + i] = static_cast<double>(corner[i]) - static_cast<double>(origin[i]);
    }
    perpendicular(n, static_cast<const double*>(sides.data()), out + s);
  }
}

/// NaN for a sum of 0. Squares of products of up to three floats are numbers of double precision; others are scaled first.
template <class D>
void make_units(D n, Sums<D>& sums) {
  std::array<double, lanes> factors{};
  if (n > 4) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t v = 0; v < lanes; ++v) factors[v] = std::max(factors[v], std::abs(sums[i][v]));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t v = 0; v < lanes; ++v) sums[i][v] /= factors[v];
    factors.fill(0);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t v = 0; v < lanes; ++v) factors[v] += sums[i][v] * sums[i][v];
  for (std::size_t v = 0; v < lanes; ++v)
    factors[v] = factors[v] > 0 ? 1 / std::sqrt(factors[v]) : std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t v = 0; v < lanes; ++v) sums[i][v] *= factors[v];
}

template <class D>
void normals_of_vertices(D n, std::span<const std::uint32_t> first, std::span<const std::uint32_t> around, const double* simplexes,
                         std::size_t begin, std::size_t end, const strided_view<float>& out) {
  Sums<D> sums{};
  for (; begin < end; begin += lanes) {
    const std::size_t count = std::min(lanes, end - begin);
    for (std::size_t v = 0; v < count; ++v) {
      std::array<double, capacity_of<D>> sum{};
      for (std::size_t k = first[begin + v]; k < first[begin + v + 1]; ++k)
        for (std::size_t i = 0; i < n; ++i) sum[i] += simplexes[around[k] * n + i];
      for (std::size_t i = 0; i < n; ++i) sums[i][v] = sum[i];
    }
    make_units(n, sums);
    for (std::size_t v = 0; v < count; ++v)
      for (std::size_t i = 0; i < n; ++i) out[begin + v][i] = static_cast<float>(sums[i][v]);
  }
}

}  // namespace

void simplex_normals(const strided_view<float>& positions, std::span<const std::uint32_t> corners, double* out) {
  with_dimension(positions.width(), [&](auto n) { normals_of_simplexes(n, positions, corners, out); });
}

void vertex_normals(std::span<const std::uint32_t> first, std::span<const std::uint32_t> around, const double* simplexes, std::size_t begin,
                    std::size_t end, const strided_view<float>& out) {
  with_dimension(out.width(), [&](auto n) { normals_of_vertices(n, first, around, simplexes, begin, end, out); });
}

}  // namespace sinew::deform
