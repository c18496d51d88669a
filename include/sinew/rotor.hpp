// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sinew/small_vector.hpp"

namespace sinew {

// Rotors of N-space: even-grade blades ordered by grade, then by the bit mask of their axes (G4MF, transform part; 3D: [s, xy, xz, yz]).
// A rotation by θ from axis i towards axis j (i < j) is s = cos(θ/2), e_ij = sin(θ/2). "First A, then B" is A·B; v' = reverse(R)·v·R.
// Trailing components may be left out and count as 0. All functions work in double precision, allocate nothing for N ≤ 4 and trust N ≤ 16;
// none takes longer than O(N²·2^N).

/// Components of a full rotor: 2^(N−1) (1 for N = 0).
[[nodiscard]] constexpr std::size_t rotor_size(std::size_t dimension) { return dimension == 0 ? 1 : std::size_t{1} << (dimension - 1); }
/// Components of scalar and bivectors: 1 + N(N−1)/2.
[[nodiscard]] constexpr std::size_t rotor_size_bivector(std::size_t dimension) {
  return dimension < 2 ? 1 : 1 + dimension * (dimension - 1) / 2;
}

/// glTF's (x, y, z, w) → [w, z, −y, x] and back.
[[nodiscard]] constexpr std::array<double, 4> rotor_from_quaternion(std::span<const double, 4> q) { return {q[3], q[2], -q[1], q[0]}; }
[[nodiscard]] constexpr std::array<double, 4> quaternion_from_rotor(std::span<const double, 4> r) { return {r[3], -r[2], r[1], r[0]}; }

/// A rotation of space as glTF stores it: a unit quaternion.
struct Quaternion {
  double x = 0, y = 0, z = 0, w = 1;

  /// The rotation about an axis by an angle in radians, counter-clockwise seen from the axis' tip. The axis has any length but 0, which
  /// gives numbers that are not finite.
  [[nodiscard]] static Quaternion about(const std::array<double, 3>& axis, double radians);
};

/// A rotation of N-space: the numbers of a rotor, in the order above.
struct Rotor {
  SmallVector<double, 4> values;

  Rotor() = default;  ///< no rotation
  explicit Rotor(std::span<const double> numbers) : values(numbers) {}
  Rotor(const Quaternion& q) : values({q.w, q.z, -q.y, q.x}) {}  // NOLINT: a quaternion is a rotor

  /// The rotation in the plane of two axes (0 = x, 1 = y, …), from the first towards the second, by an angle in radians. For every space
  /// that has both axes. Precondition: the axes differ and are below 16.
  [[nodiscard]] static Rotor in_plane(std::size_t from, std::size_t to, double radians);
};

/// The N×N matrix (column-major) of the rotor *as stored*, not normalised. N ≤ 3: I + 2·s·A + 2·A² (glTF's 1 − 2(y² + z²) … for 3D);
/// above: column j is the vector part of reverse(R)·e_j·R.
void matrix_from_rotor(std::size_t dimension, std::span<const double> rotor, std::span<double> matrix);

/// Spherical interpolation as glTF's appendix on interpolation modes writes it, for 4 numbers or any unit rotors of equal length:
/// shortest arc, the dot product clamped to 1, the result not normalised; plain interpolation when the angle vanishes.
void slerp(std::span<const double> a, std::span<const double> b, double t, std::span<double> out);

/// The lengths that a stored rotor may have: scalar and bivectors, or cut after any further complete grade, up to rotor_size.
[[nodiscard]] bool is_rotor_length(std::size_t dimension, std::size_t length);
/// Appends the components that were left out, up to the size of `out` (rotor_size).
void expand_rotor(std::span<const double> rotor, std::span<double> out);
/// To length 1. False, and nothing done, where it is zero or not finite.
[[nodiscard]] bool normalize_rotor(std::span<double> rotor);
/// The opposite rotation, of a unit rotor. As many components as given; `out` may be `rotor`.
void reverse_rotor(std::size_t dimension, std::span<const double> rotor, std::span<double> out);
/// "First a, then b": the geometric product a·b, rotor_size(dimension) numbers. b is a rotation times a number.
void compose(std::size_t dimension, std::span<const double> a, std::span<const double> b, std::span<double> out);

/// How far a rotor, once normalised, is from a rotation (0): up to three dimensions every one is; in four the amount by which
/// s·p = b01·b23 − b02·b13 + b03·b12 fails; above, the largest entry of MᵀM − 1. Infinite where it cannot be normalised.
[[nodiscard]] double rotor_defect(std::size_t dimension, std::span<const double> rotor);

/// The unit rotor with s ≥ 0 of an orthonormal, unmirrored N×N matrix (column-major, to 1e-5); rotor_size(dimension) numbers. False where
/// the matrix is something else.
[[nodiscard]] bool rotor_from_matrix(std::size_t dimension, std::span<const double> matrix, std::span<double> out);

/// The rotation on the way from one unit rotor to another: a·(a⁻¹·b)^t, 0 ≤ t ≤ 1, rotor_size(dimension) numbers. All planes of the
/// relative rotation turn at constant speed by at most half a turn (the shortest way); which way exact half turns go depends on b's sign.
/// Exactly a at 0, exactly b or −b at 1. Up to three dimensions the slerp above.
void slerp(std::size_t dimension, std::span<const double> a, std::span<const double> b, double t, std::span<double> out);

}  // namespace sinew
