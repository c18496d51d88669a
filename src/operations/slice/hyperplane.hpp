// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/project.hpp"
#include "sinew/slice.hpp"

namespace sinew::operations {

/// A hyperplane with its own coordinates.
class HyperplaneFrame {
 public:
  /// Precondition: the hyperplane is valid (wrong_with finds nothing).
  HyperplaneFrame(std::size_t dimension, const Hyperplane& plane);

  /// `along`: the coordinate of the point along the normal. `height`: its signed distance above the hyperplane.
  [[nodiscard]] double along(const float* point) const {
    if (along_axis_) return double{point[axis_]};
    double sum = 0;
    for (std::size_t i = 0; i < dimension_; ++i) sum += normal_[i] * double{point[i]};
    return sum;
  }
  [[nodiscard]] double height(const float* point) const { return along(point) - offset_; }

  /// Projects a direction within the hyperplane, or a point on it, to the slice's axes: N numbers become N−1.
  void project(std::span<const double> vector, std::span<double> out) const;

  /// Returns whether (the slice's axes in order, the normal) is a left-handed basis of the space.
  [[nodiscard]] bool mirrored() const { return (dimension_ - 1 - axis_) % 2 != 0; }

 private:
  std::size_t dimension_, axis_;
  bool along_axis_;
  double offset_;
  std::vector<double> normal_;  ///< of length 1
  std::vector<double> basis_;   ///< N−1 rows of N numbers; empty along an axis
};

/// Returns why the hyperplane is invalid in that many dimensions; nothing if it is valid.
[[nodiscard]] std::optional<std::string> wrong_with(const Hyperplane& plane, std::size_t dimension);

}  // namespace sinew::operations
