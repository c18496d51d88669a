// SPDX-License-Identifier: MIT
#include "operations/retarget/turns.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "math/rotation_scale.hpp"

namespace sinew::operations {

namespace {

/// Returns the largest distance from the columns of a multiple of the identity, relative to it.
double unevenness(const Affine& stretch) {
  const std::size_t n = stretch.dimension();
  double mean = 0, worst = 0;
  for (std::size_t i = 0; i < n; ++i) mean += stretch(i, i) / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) worst = std::max(worst, std::abs(stretch(i, j) - (i == j ? mean : 0)));
  return worst / mean;
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

std::vector<double> difference(std::span<const double> a, std::span<const double> b) {
  std::vector<double> out(a.begin(), a.end());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= b[i];
  return out;
}

// Newton's iteration for the polar decomposition: the mean with the inverse of the transpose (Higham 1986).
std::optional<Turn> turn_of(const Affine& map) {
  const std::size_t n = map.dimension();
  if (!is_finite(map) || !(determinant(map) > 0)) return std::nullopt;
  Affine now(n, map.values());
  for (std::size_t i = 0; i < n; ++i) now.translation(i) = 0;
  constexpr int most_steps = 60;
  for (int step = 0; step < most_steps; ++step) {
    const auto back = inverse(now);
    if (!back) return std::nullopt;
    double change = 0, size = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double next = (now(i, j) + (*back)(j, i)) / 2;
        change = std::max(change, std::abs(next - now(i, j)));
        size = std::max(size, std::abs(next));
        now(i, j) = next;
      }
    if (change <= 1e-15 * size) break;
  }
  return Turn{now, unevenness(turned_back(now) * map) > 1e-3};
}

Affine turned_back(const Affine& rotation) {
  const std::size_t n = rotation.dimension();
  Affine out(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) out(i, j) = rotation(j, i);
  return out;
}

std::vector<double> turned(const Affine& map, std::span<const double> vector) {
  std::vector<double> out(vector.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t j = 0; j < out.size(); ++j) out[i] += map(i, j) * vector[j];
  return out;
}

std::vector<double> place_in(const Affine& map) {
  const auto values = map.values().subspan(map.dimension() * map.dimension());
  return {values.begin(), values.end()};
}

Affine turn_between(std::span<const double> from, std::span<const double> to) {
  const std::size_t n = from.size();
  const double lengths = std::sqrt(dot(from, from) * dot(to, to));
  Affine out(n);
  if (!(lengths > 0)) return out;
  std::vector<double> a(from.begin(), from.end()), b(to.begin(), to.end());
  for (double& x : a) x /= std::sqrt(dot(from, from));
  for (double& x : b) x /= std::sqrt(dot(to, to));
  const double cosine = dot(a, b);
  if (cosine < -1 + 1e-9) return out;
  // R = 1 + b·aᵀ − a·bᵀ + (b·aᵀ − a·bᵀ)² / (1 + cos)
  Affine twist(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) twist(i, j) = b[i] * a[j] - a[i] * b[j];
  const Affine square = twist * twist;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) out(i, j) += twist(i, j) + square(i, j) / (1 + cosine);
  return out;
}

double angle_between(std::span<const double> from, std::span<const double> to) {
  const double lengths = std::sqrt(dot(from, from) * dot(to, to));
  return lengths > 0 ? std::acos(std::clamp(dot(from, to) / lengths, -1.0, 1.0)) : 0;
}

double degrees_of(const Affine& rotation) {
  const double trace = rotation(0, 0) + rotation(1, 1) + rotation(2, 2);
  return std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0)) * 180 / std::numbers::pi;
}

std::vector<double> rotor_of(const Affine& rotation, std::span<const double> like) {
  const std::size_t n = rotation.dimension();
  std::vector<double> rotor(rotor_size(n));
  rotor[0] = 1;
  if (const auto parts = rotation_and_scale(n, rotation.values().first(n * n))) rotor = parts->rotor();
  if (!like.empty() && dot(rotor, like) < 0)
    for (double& x : rotor) x = -x;
  return rotor;
}

}  // namespace sinew::operations
