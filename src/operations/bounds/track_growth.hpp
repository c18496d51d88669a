// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "animate/track.hpp"
#include "operations/bounds/growth.hpp"

#include "sinew/geometry.hpp"

namespace sinew::operations {

[[nodiscard]] double norm(std::span<const double> numbers);

/// A track between two of its keys.
struct Playing {
  const Track* track = nullptr;
  std::size_t key = 0;      ///< the key before
  double begin = 0;         ///< time of that key
  double length = 0;        ///< the time to the next key; 0: the track stays at the key
  double size = 0;          ///< rotations of four and more dimensions: the norm of the matrix at the key
  double angle = 0;         ///< the same: an upper bound of the turn between the keys
  double jump = 0;          ///< the same: the distance between the end of the interpolation and the next key
  std::size_t numbers = 1;  ///< values per key: 1, or the number of blend shapes of the mesh

  /// A track at the time `inside`, between the key before it and the next one; `times`: the times of the track.
  Playing(const Track& played, std::span<const double> times, double inside, std::size_t shapes, std::size_t dimension);
  [[nodiscard]] bool still() const { return length == 0 || track->interpolation == Interpolation::step; }
  /// Returns the moment for a time between both keys, ends included.
  [[nodiscard]] animate::Moment moment(double seconds) const;
};

/// Bounds a translation (Euclidean norm) or a scale (the largest factor) from `begin` to `end`, both between the keys.
[[nodiscard]] Growth growth_of_vector(const Playing& playing, double begin, double end);
/// Bounds the matrix of a rotation, as animate::sample computes it.
[[nodiscard]] Growth growth_of_rotation(const Playing& playing, double begin, double end, std::size_t dimension);
/// Bounds each amount.
void growth_of_amounts(const Playing& playing, double begin, double end, std::vector<Growth>& out);
/// Returns the least absolute value of a component; 0 if no bound is known.
[[nodiscard]] double least_component(const Playing& playing, double begin, double end);

}  // namespace sinew::operations
