// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew::operations {

/// Finds weights with fewer influences for one vertex. All weights here are at least 0 and sum to 1.
///
/// In a pose, influence k alone would put the vertex at p_k, and the vertex is at Σ w_k · p_k. With d_k = p_k − Σ w_j · p_j, other weights
/// v move it by Σ v_k · d_k. The sum of squares over all poses is a quadratic form of v, so that each choice of influences is a small
/// least-squares problem. Repeating it with larger factors for the worse poses lowers the largest distance (Lawson's algorithm: C. L.
/// Lawson, Contributions to the theory of linear least maximum approximation, 1961).
class WeightFit {
 public:
  /// `places`: for each pose and each influence, the N coordinates of p_k.
  WeightFit(std::size_t dimension, std::vector<double> weights, std::vector<double> places);

  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }

  /// Returns how far other weights move the vertex: the largest distance over all poses. Stops at `limit`.
  [[nodiscard]] double error(std::span<const double> weights, double limit) const;
  [[nodiscard]] double error(std::span<const double> weights) const;

  /// Keeps the strongest influences and scales their weights.
  [[nodiscard]] std::vector<double> drop(std::size_t most) const;
  /// Returns weights of which at most `most` are not 0. Neither their error nor their sum of squares is larger than that of `drop`.
  [[nodiscard]] std::vector<double> fit(std::size_t most) const;
  /// Removes influences one by one, the least important first, as long as the error is at most `limit`.
  [[nodiscard]] std::vector<double> fit_within(double limit) const;

 private:
  using Chosen = std::vector<std::size_t>;
  [[nodiscard]] std::vector<double> least_squares(const Chosen& chosen, const std::vector<double>& squares) const;
  [[nodiscard]] std::vector<double> least_squares(const Chosen& chosen) const { return least_squares(chosen, squares_); }
  [[nodiscard]] std::vector<double> lower_worst(const Chosen& chosen, std::vector<double> weights) const;
  [[nodiscard]] double distance(std::size_t pose, std::span<const double> weights) const;
  [[nodiscard]] double sum_of_squares(std::span<const double> weights) const;
  [[nodiscard]] std::vector<Chosen> choices(std::size_t most) const;

  std::size_t dimension_, count_, poses_;
  std::vector<double> weights_;
  std::vector<double> offsets_;  ///< d_k: pose, coordinate, influence
  std::vector<double> squares_;  ///< Σ d_j · d_k over all poses, a row per influence
};

}  // namespace sinew::operations
