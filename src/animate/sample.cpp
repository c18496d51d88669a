// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sinew/animate.hpp"
#include "sinew/rotor.hpp"

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

using Row = SmallVector<double, 16>;

/// The values of a track, `rows` rows per key and part (1, or one per blend shape).
class Values {
 public:
  Values(const Track& track, std::size_t rows)
      : array_(track.values), rows_(rows), parts_(track.interpolation == Interpolation::cubic_spline ? 3 : 1) {}
  static constexpr std::size_t in_tangent = 0, value = 1,
                               out_tangent = 2;  // the order in a cubic spline's key; others have the value alone

  [[nodiscard]] Row get(std::size_t key, std::size_t part, std::size_t row) const {
    Row numbers(array_.width());
    array_.read((key * parts_ + (parts_ == 1 ? 0 : part)) * rows_ + row, 1, numbers.data());
    return numbers;
  }

 private:
  const Array& array_;
  std::size_t rows_;
  std::size_t parts_;
};

void normalize(Row& row) {
  double squares = 0;
  for (const double x : row) squares += x * x;
  if (squares > 0)
    for (double& x : row) x /= std::sqrt(squares);
}

/// glTF 2.0, appendix C: row `row` of the track at the moment. Rotations are normalised where they are cubic (at keys too, or the curve
/// would jump there) and nowhere else.
Row interpolate(const Track& track, const Values& values, const Moment& at, std::size_t row, std::size_t dimension) {
  const bool rotation = track.path == TrackPath::rotation;
  Row from = values.get(at.key, Values::value, row);
  if (at.t > 0 && track.interpolation != Interpolation::step) {
    const Row to = values.get(at.key + 1, Values::value, row);
    const double t = at.t;
    if (track.interpolation == Interpolation::cubic_spline) {
      const Row out = values.get(at.key, Values::out_tangent, row), in = values.get(at.key + 1, Values::in_tangent, row);
      const double t2 = t * t, t3 = t2 * t;
      for (std::size_t i = 0; i < from.size(); ++i)
        from[i] = (2 * t3 - 3 * t2 + 1) * from[i] + at.seconds * (t3 - 2 * t2 + t) * out[i] + (3 * t2 - 2 * t3) * to[i] +
                  at.seconds * (t3 - t2) * in[i];
    } else if (rotation && !track.quaternions) {
      Row between(rotor_size(dimension));
      slerp(dimension, from, to, t, between);
      from = std::move(between);
    } else if (rotation) {
      slerp(from, to, t, from);
    } else {
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = (1 - t) * from[i] + t * to[i];
    }
  }
  if (rotation && track.interpolation == Interpolation::cubic_spline) normalize(from);
  return from;
}

void write_amounts(const Track& track, const Moment& at, std::size_t shapes, std::vector<double>& amounts) {
  const Values values(track, shapes);
  amounts.resize(shapes);
  for (std::size_t shape = 0; shape < shapes; ++shape) amounts[shape] = interpolate(track, values, at, shape, 0)[0];
}

void write_transform(const Track& track, const Moment& at, std::size_t dimension, LocalTransform& local) {
  const Row row = interpolate(track, Values(track, 1), at, 0, dimension);
  local.basis.clear();
  switch (track.path) {
    case TrackPath::translation:
      local.translation.assign(row);
      break;
    case TrackPath::scale:
      local.scale.assign(row);
      break;
    case TrackPath::rotation:
      if (track.quaternions)
        local.rotor.assign(rotor_from_quaternion(std::span<const double>(row).first<4>()));
      else
        local.rotor.assign(row);
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
