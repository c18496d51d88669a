// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <optional>
#include <span>
#include <string_view>

#include "math/length.hpp"

#include "sinew/document.hpp"
#include "sinew/optimize.hpp"

namespace sinew::operations {

/// The limits of the options for a file; all 0 if no vertex may move. `sides`: the larger side of images that are not written yet, by the
/// URI of the old one.
[[nodiscard]] AttributeErrors attribute_limits(const document::Document& document, const OptimizeOptions& options,
                                               const std::function<std::optional<std::uint64_t>(std::string_view uri)>& sides);

[[nodiscard]] inline double radians(double degrees) { return degrees * std::numbers::pi / 180; }
[[nodiscard]] inline double degrees(double radians) { return radians * 180 / std::numbers::pi; }

/// The angle between two vectors of three numbers, in radians; 0 for a vector without a direction.
[[nodiscard]] inline double angle_between(std::span<const double> a, std::span<const double> b) {
  const double cross[] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  const double along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  constexpr double nothing = 1e-6;
  if (length_of(a.first(3)) < nothing) return 0;
  return std::atan2(length_of(cross), along);
}

/// The largest angle between rows, of which the first three numbers are directions.
[[nodiscard]] inline double largest_angle(std::span<const double> a, std::span<const double> b, std::size_t width) {
  double largest = 0;
  for (std::size_t at = 0; at + width <= a.size(); at += width) largest = std::max(largest, angle_between(a.subspan(at), b.subspan(at)));
  return largest;
}

/// The largest distance between a row of two arrays of the same size.
[[nodiscard]] inline double largest_distance(std::span<const double> a, std::span<const double> b, std::size_t width) {
  double largest = 0;
  for (std::size_t at = 0; at + width <= a.size(); at += width) {
    double squares = 0;
    for (std::size_t i = at; i < at + width; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    largest = std::max(largest, squares);
  }
  return std::sqrt(largest);
}

/// The largest difference of a number.
[[nodiscard]] inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

[[nodiscard]] inline AttributeErrors operator+(const AttributeErrors& a, const AttributeErrors& b) {
  return {a.normal + b.normal, a.normal_offset + b.normal_offset, a.texcoord + b.texcoord, a.color + b.color};
}
/// What is left of limits.
[[nodiscard]] inline AttributeErrors operator-(const AttributeErrors& a, const AttributeErrors& b) {
  const auto left = [](double limit, double used) { return std::max(0.0, limit - used); };
  return {left(a.normal, b.normal), left(a.normal_offset, b.normal_offset), left(a.texcoord, b.texcoord), left(a.color, b.color)};
}
[[nodiscard]] inline AttributeErrors larger_of(const AttributeErrors& a, const AttributeErrors& b) {
  return {std::max(a.normal, b.normal), std::max(a.normal_offset, b.normal_offset), std::max(a.texcoord, b.texcoord),
          std::max(a.color, b.color)};
}

}  // namespace sinew::operations
