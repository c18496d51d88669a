// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "sinew/array.hpp"
#include "sinew/model.hpp"

namespace sinew::animate {

/// The position of a time among the keys of a track: at key `key`, or the fraction `t` of the way to the next key, which is `seconds`
/// later.
struct Moment {
  std::size_t key = 0;
  double t = 0;
  double seconds = 0;
};

/// Returns the last of `count` keys at or before `seconds`; 0 if all are later. Of several keys at one time the last one counts. Most clips
/// have equidistant keys, so it first guesses by proportion, then searches.
template <class TimeAt>
std::size_t last_key(std::size_t count, double seconds, const TimeAt& time_at) {
  std::size_t first = 0, last = count;  // the result is in [first, last)
  const double begin = time_at(0), end = time_at(count - 1);
  if (!(seconds >= begin)) return 0;
  if (seconds >= end) return count - 1;
  auto guess = static_cast<std::size_t>((seconds - begin) / (end - begin) * static_cast<double>(count - 1));
  guess -= guess > 0 && time_at(guess) > seconds ? 1 : 0;
  guess += guess + 1 < count && time_at(guess + 1) <= seconds ? 1 : 0;
  (time_at(guess) <= seconds ? first : last) = guess;
  if (first == guess && time_at(guess + 1) > seconds) return guess;
  while (last - first > 1) {
    const std::size_t middle = first + (last - first) / 2;
    (time_at(middle) <= seconds ? first : last) = middle;
  }
  return first;
}

/// Returns the moment of a time among `count` ≥ 1 keys; times outside are clamped to the first or last key.
template <class TimeAt>
Moment find_moment(std::size_t count, double seconds, const TimeAt& time_at) {
  Moment moment{last_key(count, seconds, time_at)};
  const double key = time_at(moment.key);
  if (seconds <= key || moment.key + 1 == count) return moment;
  moment.seconds = time_at(moment.key + 1) - key;
  moment.t = (seconds - key) / moment.seconds;
  return moment;
}

/// Does the same for the keys of a track.
inline Moment moment_of(const Array& times, double seconds) {
  if (times.holds<float>())
    return find_moment(times.size(), seconds, [rows = times.view<float>()](std::size_t key) { return static_cast<double>(*rows[key]); });
  return find_moment(times.size(), seconds, [&](std::size_t key) {
    double time = 0;
    times.read(key, 1, &time);
    return time;
  });
}

using Numbers = SmallVector<double, 16>;

/// Interpolates linearly, in `from`.
inline void mix(std::span<double> from, std::span<const double> to, double t) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = (1 - t) * from[i] + t * to[i];
}

/// Interpolates by a cubic spline (glTF 2.0, appendix C), in `from`. `out`, `in`: the tangents of both keys, which are `seconds` apart.
inline void follow_spline(std::span<double> from, std::span<const double> out, std::span<const double> in, std::span<const double> to,
                          double t, double seconds) {
  const double t2 = t * t, t3 = t2 * t;
  for (std::size_t i = 0; i < from.size(); ++i)
    from[i] =
        (2 * t3 - 3 * t2 + 1) * from[i] + seconds * (t3 - 2 * t2 + t) * out[i] + (3 * t2 - 2 * t3) * to[i] + seconds * (t3 - t2) * in[i];
}

/// The numbers of a key: one value for translation, rotation and scale; for amounts one per blend shape (`shapes`). All values are returned
/// at once, because a face has hundreds.
class Keys {
 public:
  Keys(const Track& track, std::size_t shapes)
      : array_(track.values), values_(shapes), parts_(track.interpolation == Interpolation::cubic_spline ? 3 : 1) {}
  static constexpr std::size_t in_tangent = 0, value = 1,
                               out_tangent = 2;  // the order in a key of a cubic spline; other keys have only the value

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

/// Writes the value of a track at a moment into the pose. A key may be reached from the left, as t = 1 of the previous key; step tracks
/// then keep the previous value.
void write(const Model& model, const Track& track, const Moment& at, Pose& pose);

}  // namespace sinew::animate
