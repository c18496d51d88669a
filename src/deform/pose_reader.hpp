// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "deform/rig.hpp"

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew::deform {

/// Reads single poses from PoseArrays. Keeps references to the model and the arrays. Safe on any thread. Failure::usage, with the pose and
/// the node: numbers that are not finite, matrices with another last row than 0 … 0 1, rotors without length.
class PoseReader {
 public:
  /// Checks the sizes of the arrays, and that they fit together.
  [[nodiscard]] static Result<PoseReader> create(const Model& model, const PoseArrays& arrays);

  [[nodiscard]] const PoseArrays& arrays() const { return arrays_; }
  [[nodiscard]] bool in_world() const { return !arrays_.world.empty(); }
  /// Whether the poses have a matrix per node.
  [[nodiscard]] bool has_matrices() const { return in_world() || !arrays_.local.empty(); }
  [[nodiscard]] std::size_t amounts() const { return first_amount_.back(); }
  /// The first of a node's amounts; for the number of nodes, the number of all amounts.
  [[nodiscard]] std::size_t first_amount(std::size_t node) const { return first_amount_[node]; }

  [[nodiscard]] Result<> read_amounts(std::size_t pose, Pose& out) const;
  /// Reads the matrices of the steps' nodes as maps of the kernels, one for each step. Precondition: has_matrices().
  [[nodiscard]] Result<> read_matrices(std::size_t pose, std::span<const Rig::Step> steps, double* maps) const;
  /// Reads local transforms of the steps' nodes; what the arrays leave out stays as it is in `out`. Precondition: not has_matrices().
  [[nodiscard]] Result<> read_locals(std::size_t pose, std::span<const Rig::Step> steps, Pose& out) const;

 private:
  PoseReader(const Model& model, const PoseArrays& arrays);
  [[nodiscard]] Result<> check_finite(std::size_t pose, std::span<const double> all, std::size_t per_node, std::string_view what) const;
  [[nodiscard]] Result<> set_parts(std::size_t pose, Index node, LocalTransform& out) const;
  [[nodiscard]] Unexpected refuse(std::size_t pose, Index node, std::string_view what, std::string_view found) const;

  const Model* model_;
  PoseArrays arrays_;
  std::vector<std::size_t> first_amount_;
};

}  // namespace sinew::deform
