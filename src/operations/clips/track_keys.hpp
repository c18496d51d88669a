// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/model.hpp"

namespace sinew::operations {

/// The keys of an animated property of any format, in double precision. Sampled as animate::sample does (glTF 2.0, appendix C).
struct TrackKeys {
  std::vector<double> times;   ///< seconds, never decreasing; from an equal time on, its last key counts
  std::vector<double> values;  ///< per key `width` numbers; cubic_spline: in-tangent, value and out-tangent, `width` numbers each
  std::size_t width = 0;
  Interpolation interpolation = Interpolation::linear;
  std::size_t turns = 0;  ///< of rotations: the dimension of the rotors (3: also quaternions); 0: other values

  [[nodiscard]] bool cubic() const { return interpolation == Interpolation::cubic_spline; }
  /// Returns the numbers of a key: part 0 and 2 are the tangents of a spline.
  [[nodiscard]] std::span<const double> part(std::size_t key, std::size_t part) const {
    return std::span(values).subspan(cubic() ? (key * 3 + part) * width : key * width, width);
  }
  [[nodiscard]] std::span<const double> value(std::size_t key) const { return part(key, 1); }
};

/// Returns the part from `start` to `end` seconds, which begins at 0 and has keys at 0 and at its end. Every sample is the same as before;
/// a rotation that a spline cuts between two keys gets further keys where the unit rotations would differ by more than 1e-7. Precondition:
/// start < end; there is a key.
[[nodiscard]] TrackKeys cut(const TrackKeys& keys, double start, double end);

/// Returns keys that hold a value for `length` seconds, of the kind of `like`.
[[nodiscard]] TrackKeys held(std::span<const double> value, double length, const TrackKeys& like);

/// Returns the same motion with another interpolation: steps as linear or cubic, and linear keys as cubic. A step takes one step of float32
/// at the time `shift` later, where the keys will be.
[[nodiscard]] TrackKeys as(const TrackKeys& keys, Interpolation interpolation, double shift);

/// Adds the keys of `next`, which begin `length` seconds after the start of `keys`. From that time on `next` counts: if its first value
/// differs, the last key of `keys` moves to the float32 before. Preconditions: the same interpolation and width; a key at the end of
/// `keys`.
void append(TrackKeys& keys, double length, const TrackKeys& next);

/// Rounds the times to float32. Of several keys that become one, the last stays.
void round_times(TrackKeys& keys);

}  // namespace sinew::operations
