// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sinew/array.hpp"

namespace sinew {

/// Columns are perpendicular if the cosine of their angle is at most this; factors this close to 1 are 1 in files. Products of float32
/// matrices differ from exact ones by some ten millionths; and nobody sees a vertex that moves by a millionth of its distance to the joint.
inline constexpr double transform_tolerance = 1e-6;

/// Returns whether two columns of an N×N matrix (column-major) are not perpendicular. Such a matrix is not a rotation times a scale along
/// the axes.
[[nodiscard]] bool is_sheared(std::size_t n, std::span<const double> columns);

/// A linear map: first a scale along the axes, then a rotation.
struct RotationScale {
  SmallVector<double, 9> rotation;  ///< N² numbers, column-major; orthonormal, to transform_tolerance, and not mirrored
  SmallVector<double, 3> scale;     ///< N numbers, none of them 0; the first one is negative if the map mirrors

  /// Returns the unit rotor of the rotation, rotor_size(N) numbers.
  [[nodiscard]] std::vector<double> rotor() const;
};

/// Splits an N×N matrix (column-major). Returns nothing if it is sheared, a column is 0, or a number is not finite.
[[nodiscard]] std::optional<RotationScale> rotation_and_scale(std::size_t n, std::span<const double> columns);

}  // namespace sinew
