// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "sinew/small_vector.hpp"

namespace sinew {

/// An affine map of N-space in double precision: p ↦ L·p + t. Named by its spaces where it is used: `world_from_joint * joint_from_mesh`.
/// Stored column-major: N columns of L, then t, N numbers each; column j of L is the image of axis j.
class Affine {
 public:
  Affine() = default;                      ///< dimension 0
  explicit Affine(std::size_t dimension);  ///< the identity
  /// From N·(N+1) numbers in the order of storage.
  Affine(std::size_t dimension, std::span<const double> columns);

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] double operator()(std::size_t row, std::size_t column) const { return values_[column * dimension_ + row]; }
  [[nodiscard]] double& operator()(std::size_t row, std::size_t column) { return values_[column * dimension_ + row]; }
  [[nodiscard]] double translation(std::size_t row) const { return values_[dimension_ * dimension_ + row]; }
  [[nodiscard]] double& translation(std::size_t row) { return values_[dimension_ * dimension_ + row]; }
  [[nodiscard]] std::span<const double> values() const { return values_; }

  /// L·point + t. `out` has N numbers and may be `point`.
  void apply(std::span<const double> point, std::span<double> out) const;

  friend Affine operator*(const Affine& a, const Affine& b);  ///< first b, then a; equal dimensions
  friend bool operator==(const Affine&, const Affine&) = default;

 private:
  std::size_t dimension_ = 0;
  SmallVector<double, 20> values_;
};

/// det L. Negative: the map mirrors.
[[nodiscard]] double determinant(const Affine& map);
/// Nothing where L is singular (to working precision, relative to its size) or not finite.
[[nodiscard]] std::optional<Affine> inverse(const Affine& map);
/// The cofactor matrix of L, N² numbers column-major: moves covectors (normals); det(L)·L⁻ᵀ where L is regular, defined for every L.
void cofactor(const Affine& map, std::span<double> out);
[[nodiscard]] bool is_finite(const Affine& map);

}  // namespace sinew
