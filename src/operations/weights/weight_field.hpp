// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "operations/weights/welded_mesh.hpp"

namespace sinew::operations::weights {

/// How a point of clothes gets its weights.
enum class PointClass : std::uint8_t {
  matched,    ///< from the nearest point of the body
  inpainted,  ///< from other points of the clothes
  far         ///< its piece has no match and no neighbour: from the body, however far away
};

/// One weight per point and joint.
class WeightField {
 public:
  WeightField(std::size_t points, std::size_t joints) : joints_(joints), values_(points * joints) {}

  [[nodiscard]] std::size_t joints() const { return joints_; }
  [[nodiscard]] std::span<double> row(std::size_t point) { return std::span(values_).subspan(point * joints_, joints_); }
  [[nodiscard]] std::span<const double> row(std::size_t point) const { return std::span(values_).subspan(point * joints_, joints_); }

 private:
  std::size_t joints_;
  std::vector<double> values_;
};

/// Makes negative weights 0 and the sum 1. Returns false if the sum is not positive.
[[nodiscard]] bool normalize(std::span<double> row);

/// Computes the rows of the points in `unknown` from the rows of their `known` neighbours: the smoothest field of weights over the mesh,
/// with the energy WᵀQW, Q = −L + L·M⁻¹·L (L: cotangent Laplacian, M: masses; lengths relative to the diagonal). Abdrashitov and others,
/// Robust Skin Weights Transfer via Weight Inpainting, SIGGRAPH Asia 2023. If Q is not positive definite, all edges count alike.
/// Precondition: each piece with an unknown point has a known one.
void inpaint(const WeldedMesh& mesh, const Neighbours& neighbours, std::span<const std::uint8_t> known, WeightField& field,
             unsigned threads);

/// Smooths the rows of inpainted points, and of matched ones that lie within `reach` of them along edges: ten steps of a fifth.
void smooth(const WeldedMesh& mesh, const Neighbours& neighbours, std::span<const PointClass> classes, double reach, WeightField& field,
            unsigned threads);

}  // namespace sinew::operations::weights
