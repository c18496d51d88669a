// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "operations/flex/checks.hpp"

namespace sinew::operations::bend {

/// The square of an edge's stretch while a joint turns by θ: constant + cosine·cos θ + sine·sin θ.
struct Stretch {
  double constant = 0, cosine = 0, sine = 0;

  [[nodiscard]] double at(double theta) const;
  /// Returns whether no angle reaches a value.
  [[nodiscard]] bool stays_below(double value) const {
    const double more = value * value - constant;
    return more > 0 && more * more > cosine * cosine + sine * sine;
  }
  /// Returns the largest value between 0 and `theta` (radians, either sign).
  [[nodiscard]] double most(double theta) const;
};

/// Returns the stretch of the edge between two twins. `turn`: of any angle; `s`: by twin.
[[nodiscard]] Stretch stretch_of(const Figure& figure, const Turn& turn, Number a, Number b, double s_a, double s_b);

/// Returns the largest value that the least of some stretches reaches between 0 and `theta`, and where: the supremum is at an end, at a
/// peak or where two of them are equal.
struct Peak {
  double value = 0, theta = 0;
};
[[nodiscard]] Peak highest_least(std::span<const Stretch> stretches, double theta);

/// The length of an edge at rest that stretch is relative to.
[[nodiscard]] double length_at_rest(const Figure& figure, Number a, Number b);

/// Finds spikes in the sampled positions of many poses of clips or shapes.
class SpikeFinder {
 public:
  /// `least`: the limit of the stretch. `figure` must outlive it.
  SpikeFinder(const Figure& figure, double least);
  /// Returns by joint what has its marks and value.
  [[nodiscard]] std::vector<std::pair<Number, Found>> find(std::span<const double> at) const;

 private:
  struct Edge {
    Number a, b;
    double square;  ///< of the least length of a spike
  };
  const Figure& figure_;
  std::vector<Edge> edges_;  ///< those that can stretch
};

}  // namespace sinew::operations::bend
