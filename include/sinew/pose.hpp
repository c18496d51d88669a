// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sinew/affine.hpp"
#include "sinew/result.hpp"
#include "sinew/rotor.hpp"
#include "sinew/small_vector.hpp"

namespace sinew {

struct Model;

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

  /// Turns a node about its own origin, in its own axes: first `turn`, then the rotation that the pose has. `node`: a name or an index,
  /// as find_by_name. A rotor of another dimension than the model's, or one that is no rotation, is Failure::usage; a node whose basis has
  /// shear is Failure::input. On failure the pose stays as it was. `model`: the model of the pose.
  [[nodiscard]] Result<> turn(const Model& model, std::string_view node, const Rotor& turn);
  /// Sets the amount of a blend shape: "SHAPE" in every mesh that has it, or "NODE:SHAPE", by name or index. Failure::usage if no mesh has
  /// it or the amount is not finite.
  [[nodiscard]] Result<> blend(const Model& model, std::string_view shape, double amount);
};

}  // namespace sinew
