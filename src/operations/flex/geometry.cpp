// SPDX-License-Identifier: MIT
// Normals, bones, singular values and turns.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/dimension.hpp"
#include "math/perpendicular.hpp"
#include "operations/flex/checks.hpp"

namespace sinew::operations::bend {

namespace {

/// Computes the oriented area vector of a simplex with N corners.
void area_of(const Figure& figure, std::span<const Number> corners, std::span<const double> at, double* out) {
  const std::size_t n = figure.n;
  std::array<double, max_dimension * max_dimension> sides;
  for (std::size_t k = 1; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i) sides[(k - 1) * n + i] = at[corners[k] * n + i] - at[corners[0] * n + i];
  with_dimension(n, [&](auto dimension) {
    if constexpr (capacity_of<decltype(dimension)> >= 3) perpendicular(dimension, static_cast<const double*>(sides.data()), out);
  });
}

double area_in_plane(std::span<const Number> c, std::span<const double> at) {
  const double *a = &at[c[0] * 2], *b = &at[c[1] * 2], *d = &at[c[2] * 2];
  return (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]);
}

double length_of_vector(const double* v, std::size_t n) {
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) squares += v[i] * v[i];
  return std::sqrt(squares);
}

}  // namespace

Faces::Faces(const Figure& figure) : figure_(figure) {
  const std::size_t n = figure.n, count = figure.count();
  areas_.resize(count);
  if (n > 2) normals_.resize(count * n);
  for (std::size_t s = 0; s < count; ++s) {
    if (n > 2) {
      area_of(figure, figure.simplex(s), figure.at, &normals_[s * n]);
      areas_[s] = length_of_vector(&normals_[s * n], n);
    } else if (n == 2) {
      areas_[s] = std::abs(area_in_plane(figure.simplex(s), figure.at));
    }
  }
  if (count == 0) return;
  std::vector<double> order = areas_;
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::nth_element(order.begin(), middle, order.end());
  median_ = *middle;
}

bool Faces::flipped(std::size_t i, std::span<const double> at, std::span<const double> turned) const {
  const std::size_t n = figure_.n;
  std::array<double, max_dimension> now{};
  area_of(figure_, figure_.simplex(i), at, now.data());
  const double length = length_of_vector(now.data(), n);
  if (!(length > 0.05 * areas_[i])) return false;
  double along = 0;
  for (std::size_t k = 0; k < n; ++k) along += now[k] * turned[k];
  return along < -0.5 * length * length_of_vector(turned.data(), n);
}

bool Faces::against(std::size_t i, std::span<const double> at, std::span<const double> vector) const {
  std::array<double, max_dimension> now{};
  area_of(figure_, figure_.simplex(i), at, now.data());
  double along = 0;
  for (std::size_t k = 0; k < figure_.n; ++k) along += now[k] * vector[k];
  return along < 0;
}

bool Faces::mirrored(std::size_t i, std::span<const double> at) const {
  return area_in_plane(figure_.simplex(i), at) * area_in_plane(figure_.simplex(i), figure_.at) < 0;
}

std::vector<double> bone_directions(const Figure& figure) {
  const std::size_t n = figure.n;
  std::vector<double> out(figure.joints.size() * n);
  for (Number j = 0; j < figure.joints.size(); ++j) {
    const Joint& joint = figure.joints[j];
    double* const d = &out[j * n];
    std::size_t children = 0;
    for (Number k = j + 1; k < joint.end; k = figure.joints[k].end) {
      if (!figure.joints[k].of_skin) continue;
      ++children;
      for (std::size_t i = 0; i < n; ++i) d[i] += figure.joints[k].at[i];
    }
    for (std::size_t i = 0; i < n && children > 0; ++i) d[i] = d[i] / static_cast<double>(children) - joint.at[i];
    if (length_of_vector(d, n) < 1e-4 && joint.parent != nothing)
      for (std::size_t i = 0; i < n; ++i) d[i] = joint.at[i] - figure.joints[joint.parent].at[i];
    const double length = length_of_vector(d, n);
    for (std::size_t i = 0; i < n; ++i) d[i] = length < 1e-4 ? 0 : d[i] / length;
  }
  return out;
}

std::vector<double> limb_directions(const Figure& figure, std::span<const double> bones) {
  const std::size_t n = figure.n;
  std::vector<double> out(bones.begin(), bones.end()), middle(bones.size()), weight(figure.joints.size());
  for (Number twin = 0; twin < figure.twins(); ++twin)
    for (const Influence& one : figure.influences_of(twin)) {
      if (one.weight < 0.5) continue;
      weight[one.joint] += one.weight;
      for (std::size_t i = 0; i < n; ++i) middle[one.joint * n + i] += one.weight * figure.place(twin)[i];
    }
  for (Number j = 0; j < figure.joints.size(); ++j) {
    if (!(weight[j] > 0)) continue;
    double* const d = &middle[j * n];
    for (std::size_t i = 0; i < n; ++i) d[i] = d[i] / weight[j] - figure.joints[j].at[i];
    const double length = length_of_vector(d, n);
    if (length < 1e-4) continue;
    for (std::size_t i = 0; i < n; ++i) out[j * n + i] = d[i] / length;
  }
  return out;
}

// Jacobi's method on BᵀB: the matrices are small, and few vertices need it.
std::array<double, 2> singular_range(std::size_t n, const double* matrix) {
  std::array<double, max_dimension * max_dimension> a{};
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) a[j * n + i] += matrix[i * n + k] * matrix[j * n + k];
      largest = std::max(largest, std::abs(a[j * n + i]));
    }
  for (int sweep = 0; sweep < 30; ++sweep) {
    double off = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        const double b = a[q * n + p];
        off = std::max(off, std::abs(b));
        if (!(std::abs(b) > 1e-15 * largest)) continue;
        const double ratio = (a[q * n + q] - a[p * n + p]) / (2 * b);
        const double t = (ratio < 0 ? -1 : 1) / (std::abs(ratio) + std::sqrt(ratio * ratio + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - s * y;
          a[q * n + k] = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - s * y;
          a[k * n + q] = s * x + c * y;
        }
      }
    if (!(off > 1e-14 * largest)) break;
  }
  double least = a[0], most = a[0];
  for (std::size_t i = 1; i < n; ++i) {
    least = std::min(least, a[i * n + i]);
    most = std::max(most, a[i * n + i]);
  }
  return {std::sqrt(std::max(0.0, most)), std::sqrt(std::max(0.0, least))};
}

Turn::Turn(const Figure& figure, const Joint& joint, const std::array<Index, 2>& plane, double degrees)
    : from(&joint.frame[plane[0] * figure.n]),
      to(&joint.frame[plane[1] * figure.n]),
      center(joint.at.data()),
      cosine(std::cos(degrees * std::numbers::pi / 180)),
      sine(std::sin(degrees * std::numbers::pi / 180)) {}

void Turn::move(std::size_t n, const double* at, double s, double* out) const {
  double x = 0, y = 0;
  for (std::size_t i = 0; i < n; ++i) {
    x += (at[i] - center[i]) * from[i];
    y += (at[i] - center[i]) * to[i];
  }
  const double along = s * ((cosine - 1) * x - sine * y), across = s * (sine * x + (cosine - 1) * y);
  for (std::size_t i = 0; i < n; ++i) out[i] = at[i] + along * from[i] + across * to[i];
}

double share_below(const Figure& figure, Number twin, Number joint) {
  double sum = 0;
  for (const Influence& i : figure.influences_of(twin))
    if (figure.below(i.joint, joint)) sum += i.weight;
  return sum;
}

}  // namespace sinew::operations::bend
