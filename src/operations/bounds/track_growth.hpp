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
  std::size_t key = 0;      ///< the one before
  double begin = 0;         ///< its time
  double length = 0;        ///< the time to the next key; 0: the track stays at the key
  double size = 0;          ///< of rotations of four and more dimensions: the norm of the matrix at the key
  double angle = 0;         ///< of those: a bound of the turn between the keys
  double jump = 0;          ///< of those: how far the way ends from the next key
  std::size_t numbers = 1;  ///< of a key: 1, or the blend shapes of the mesh

  /// Between the keys around a time that is no key, or at one end of the time between two; `times`: those of the track.
  Playing(const Track& played, std::span<const double> times, double inside, std::size_t shapes, std::size_t dimension);
  [[nodiscard]] bool still() const { return length == 0 || track->interpolation == Interpolation::step; }
  /// Of a time between both keys, ends included.
  [[nodiscard]] animate::Moment moment(double seconds) const;
};

/// Of a translation (Euclidean norm), or of a scale (the largest factor), while the time goes from `begin` to `end`, both between the keys.
[[nodiscard]] Growth growth_of_vector(const Playing& playing, double begin, double end);
/// Of the matrix of a rotation, as animate::sample computes it.
[[nodiscard]] Growth growth_of_rotation(const Playing& playing, double begin, double end, std::size_t dimension);
/// Of each amount.
void growth_of_amounts(const Playing& playing, double begin, double end, std::vector<Growth>& out);
/// The least absolute value of a component; 0 where the bound fails.
[[nodiscard]] double least_component(const Playing& playing, double begin, double end);

}  // namespace sinew::operations
