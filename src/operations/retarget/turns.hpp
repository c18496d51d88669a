// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sinew/geometry.hpp"
#include "sinew/model.hpp"

namespace sinew::operations {

[[nodiscard]] double dot(std::span<const double> a, std::span<const double> b);
[[nodiscard]] std::vector<double> difference(std::span<const double> a, std::span<const double> b);

/// The rotation in a map.
struct Turn {
  Affine rotation;      ///< without translation
  bool uneven = false;  ///< the rest is no uniform scale, to a thousandth
};
/// Returns the orthogonal part of the polar decomposition; nothing if the map is mirrored or flat.
[[nodiscard]] std::optional<Turn> turn_of(const Affine& map);

/// Returns the inverse of a rotation.
[[nodiscard]] Affine turned_back(const Affine& rotation);
/// Returns the map's image of a vector: without the translation.
[[nodiscard]] std::vector<double> turned(const Affine& map, std::span<const double> vector);
[[nodiscard]] std::vector<double> place_in(const Affine& map);
/// Returns the shortest rotation between two directions; the identity if one of them has no length or they are opposite.
[[nodiscard]] Affine turn_between(std::span<const double> from, std::span<const double> to);
/// Returns the angle between two directions in radians; 0 if one of them has no length.
[[nodiscard]] double angle_between(std::span<const double> from, std::span<const double> to);
/// Returns the angle of a rotation of three dimensions, in degrees.
[[nodiscard]] double degrees_of(const Affine& rotation);
/// Returns the rotor of a rotation, near `like` rather than its opposite (empty: with s ≥ 0).
[[nodiscard]] std::vector<double> rotor_of(const Affine& rotation, std::span<const double> like = {});

}  // namespace sinew::operations
