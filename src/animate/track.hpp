// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "sinew/array.hpp"
#include "sinew/model.hpp"

namespace sinew::animate {

/// Where a time lies among the keys of a track: at key `key`, or `t` of the way from it to the next one, `seconds` later.
struct Moment {
  std::size_t key = 0;
  double t = 0;
  double seconds = 0;
};

using Numbers = SmallVector<double, 16>;

/// The numbers of a key: of a transform's part one value, of amounts one for each of `shapes` blend shapes. All of them at once, as a face
/// has hundreds.
class Keys {
 public:
  Keys(const Track& track, std::size_t shapes)
      : array_(track.values), values_(shapes), parts_(track.interpolation == Interpolation::cubic_spline ? 3 : 1) {}
  static constexpr std::size_t in_tangent = 0, value = 1,
                               out_tangent = 2;  // the order in a cubic spline's key; others have the value alone

  [[nodiscard]] Numbers get(std::size_t key, std::size_t part) const {
    Numbers numbers(values_ * array_.width());
    array_.read((key * parts_ + (parts_ == 1 ? 0 : part)) * values_, values_, numbers.data());
    return numbers;
  }

 private:
  const Array& array_;
  std::size_t values_;
  std::size_t parts_;
};

/// Writes the value of a track at a moment into the pose. A key can be met from the left, with t = 1 of the key before: a track that steps
/// keeps that key's value then.
void write(const Model& model, const Track& track, const Moment& at, Pose& pose);

}  // namespace sinew::animate
