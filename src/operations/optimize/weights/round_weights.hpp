// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "operations/optimize/weights/influence_motion.hpp"

namespace sinew::operations {

/// Rounds the weights of vertices to multiples of 1 / `whole` so that the vertices move little in the poses of `motion`.
class WeightRounding {
 public:
  /// `enough`: a distance below which no better weights are searched for.
  WeightRounding(const Model& model, const InfluenceMotion& motion, const VertexBlock& block, double enough)
      : dimension_(model.dimension), motion_(motion), places_(motion, block), enough_(enough) {}

  /// `weights`: those of the vertex; `rounded`: multiples of 1 / `whole` with the same sum. Moves units from one influence to another.
  void improve(std::size_t vertex, std::span<const std::uint32_t> joints, std::span<const double> weights, std::span<double> rounded,
               double whole) const;

 private:
  std::size_t dimension_;
  const InfluenceMotion& motion_;
  InfluenceMotion::Block places_;
  double enough_;
};

}  // namespace sinew::operations
