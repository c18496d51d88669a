// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/affine.hpp"
#include "sinew/small_vector.hpp"

namespace sinew {

/// A node's transform in its parent's space: p ↦ basis·p + translation. An absent (empty) part has its neutral value.
struct LocalTransform {
  SmallVector<double, 3> translation;  ///< N numbers, or empty = zeros
  SmallVector<double, 4> rotor;        ///< as in rotor.hpp, or empty = no rotation; used as stored (glTF), normalised by the G4MF reader
  SmallVector<double, 3> scale;        ///< N numbers, or empty = ones
  SmallVector<double, 1> basis;        ///< N² numbers, column-major, instead of rotor and scale; or empty

  friend bool operator==(const LocalTransform&, const LocalTransform&) = default;
};

/// basis, or R(rotor)·diag(scale); then the translation.
[[nodiscard]] Affine affine_of(std::size_t dimension, const LocalTransform& local);

/// The whole state that deformation depends on, at one moment.
struct Pose {
  std::vector<LocalTransform> locals;        ///< one per node
  std::vector<std::vector<double>> amounts;  ///< one list per node; for a node with a mesh: one amount per blend shape of that mesh
};

}  // namespace sinew
