// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/animate.hpp"
#include "sinew/geometry.hpp"

namespace sinew::animate {

namespace {

/// Where a time lies among the keys: at key `key`, or `t` of the way from it to the next one, `seconds` later.
struct Moment {
  std::size_t key = 0;
  double t = 0;
  double seconds = 0;
};

double time_at(const Array& times, std::size_t key) {
  double time = 0;
  times.read(key, 1, &time);
  return time;
}

Moment find_moment(const Array& times, double seconds) {
  std::size_t first = 0, last = times.size();  // the last key at or before `seconds`, in [first, last)
  while (last - first > 1) {
    const std::size_t middle = first + (last - first) / 2;
    (time_at(times, middle) <= seconds ? first : last) = middle;
  }
  Moment moment{first};
  const double key = time_at(times, first);
  if (seconds <= key || first + 1 == times.size()) return moment;
  moment.seconds = time_at(times, first + 1) - key;
  moment.t = (seconds - key) / moment.seconds;
  return moment;
}

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

void normalize(std::span<double> numbers) {
  double squares = 0;
  for (const double x : numbers) squares += x * x;
  if (squares > 0)
    for (double& x : numbers) x /= std::sqrt(squares);
}

void mix(std::span<double> from, std::span<const double> to, double t) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = (1 - t) * from[i] + t * to[i];
}

void follow_spline(std::span<double> from, std::span<const double> out, std::span<const double> in, std::span<const double> to, double t,
                   double seconds) {
  const double t2 = t * t, t3 = t2 * t;
  for (std::size_t i = 0; i < from.size(); ++i)
    from[i] =
        (2 * t3 - 3 * t2 + 1) * from[i] + seconds * (t3 - 2 * t2 + t) * out[i] + (3 * t2 - 2 * t3) * to[i] + seconds * (t3 - t2) * in[i];
}

/// glTF 2.0, appendix C: the numbers of the track at the moment. Rotations are normalised where they are cubic (at keys too, or the curve
/// would jump there) and nowhere else.
Numbers interpolate(const Track& track, const Keys& keys, const Moment& at, std::size_t dimension) {
  const bool rotation = track.path == TrackPath::rotation;
  Numbers from = keys.get(at.key, Keys::value);
  if (at.t > 0 && track.interpolation != Interpolation::step) {
    const Numbers to = keys.get(at.key + 1, Keys::value);
    if (track.interpolation == Interpolation::cubic_spline) {
      follow_spline(from, keys.get(at.key, Keys::out_tangent), keys.get(at.key + 1, Keys::in_tangent), to, at.t, at.seconds);
    } else if (rotation && !track.quaternions) {
      Numbers between(rotor_size(dimension));
      slerp(dimension, from, to, at.t, between);
      from = std::move(between);
    } else if (rotation) {
      slerp(from, to, at.t, from);
    } else {
      mix(from, to, at.t);
    }
  }
  if (rotation && track.interpolation == Interpolation::cubic_spline) normalize(from);
  return from;
}

void write_amounts(const Track& track, const Moment& at, std::size_t shapes, std::vector<double>& amounts) {
  const Numbers now = interpolate(track, Keys(track, shapes), at, 0);
  amounts.assign(now.begin(), now.end());
}

void write_transform(const Track& track, const Moment& at, std::size_t dimension, LocalTransform& local) {
  const Numbers now = interpolate(track, Keys(track, 1), at, dimension);
  local.basis.clear();
  switch (track.path) {
    case TrackPath::translation:
      local.translation.assign(now);
      break;
    case TrackPath::scale:
      local.scale.assign(now);
      break;
    case TrackPath::rotation:
      if (track.quaternions)
        local.rotor.assign(rotor_from_quaternion(std::span<const double>(now).first<4>()));
      else
        local.rotor.assign(now);
      break;
    case TrackPath::amounts:
      break;
  }
}

}  // namespace

void sample(const Model& model, const Clip& clip, double seconds, Pose& pose) {
  for (const Track& track : clip.tracks) {
    if (track.node >= model.nodes.size() || track.times.empty()) continue;
    const Moment at = find_moment(track.times, seconds);
    if (track.path != TrackPath::amounts) {
      write_transform(track, at, model.dimension, pose.locals[track.node]);
    } else if (const Index mesh = model.nodes[track.node].mesh; mesh != none) {
      write_amounts(track, at, model.meshes[mesh].shapes.size(), pose.amounts[track.node]);
    }
  }
}

std::vector<double> frame_times(double duration, std::size_t frames) {
  std::vector<double> times(frames);
  for (std::size_t i = 1; i < frames; ++i) times[i] = duration * (static_cast<double>(i) / static_cast<double>(frames - 1));
  return times;
}

std::vector<double> frame_times_at(double duration, double fps) {
  assert(duration >= 0 && fps > 0);
  const auto last = static_cast<std::size_t>(std::floor(duration * fps + 1e-6));
  std::vector<double> times(last + 1);
  for (std::size_t k = 0; k <= last; ++k) times[k] = static_cast<double>(k) / fps;
  return times;
}

}  // namespace sinew::animate
