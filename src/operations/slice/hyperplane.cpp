// SPDX-License-Identifier: MIT
#include "operations/slice/hyperplane.hpp"

#include <algorithm>
#include <cmath>

#include "base/message.hpp"

namespace sinew::operations {

HyperplaneFrame::HyperplaneFrame(std::size_t dimension, const Hyperplane& plane)
    : dimension_(dimension), axis_(plane.axis), along_axis_(plane.normal.empty()), offset_(double{static_cast<float>(plane.offset)}) {
  if (along_axis_) return;
  normal_ = plane.normal;
  const double largest = std::abs(*std::ranges::max_element(normal_, {}, [](double x) { return std::abs(x); }));
  double squared = 0;
  for (double& x : normal_) {
    x /= largest;
    squared += x * x;
  }
  for (double& x : normal_) x /= std::sqrt(squared);
  offset_ = plane.offset / largest / std::sqrt(squared);

  // The shortest rotation from the axis a to the normal n: b_i = e_i − n_i / (1 + n_a) · (a + n). If n points against the axis, half a turn
  // is not unique; use the one in the plane with the first of the other axes.
  const double both = 1 + normal_[axis_];
  const bool opposite = both < 1e-12;
  for (std::size_t i = 0; i < dimension; ++i) {
    if (i == axis_) continue;
    const double part = opposite ? 0 : normal_[i] / both;
    for (std::size_t j = 0; j < dimension; ++j) basis_.push_back((i == j ? 1.0 : 0.0) - part * (normal_[j] + (j == axis_ ? 1.0 : 0.0)));
  }
  if (opposite)
    for (std::size_t j = 0; j < dimension; ++j) basis_[j] = -basis_[j];
}

void HyperplaneFrame::project(std::span<const double> vector, std::span<double> out) const {
  for (std::size_t i = 0; i + 1 < dimension_; ++i) {
    if (along_axis_) {
      out[i] = vector[i < axis_ ? i : i + 1];
      continue;
    }
    out[i] = 0;
    for (std::size_t j = 0; j < dimension_; ++j) out[i] += basis_[i * dimension_ + j] * vector[j];
  }
}

std::optional<std::string> wrong_with(const Hyperplane& plane, std::size_t dimension) {
  if (dimension < 2) return format_text("found a model of {} dimensions, expected 2 or more", dimension);
  if (plane.axis >= dimension) return format_text("found axis {}, but the model has {} axes", plane.axis, dimension);
  if (!std::isfinite(static_cast<float>(plane.offset))) return format_text("found the offset {}, expected a finite number", plane.offset);
  if (plane.normal.empty()) return std::nullopt;
  if (plane.normal.size() != dimension) return format_text("found a normal of {} numbers, expected {}", plane.normal.size(), dimension);
  if (!std::ranges::all_of(plane.normal, [](double x) { return std::isfinite(x); })) return "found a normal that is not finite";
  if (std::ranges::all_of(plane.normal, [](double x) { return x == 0; })) return "found a normal of zeros, expected a direction";
  return std::nullopt;
}

}  // namespace sinew::operations
