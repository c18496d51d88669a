// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "animate/track.hpp"
#include "base/guard.hpp"
#include "math/rotation.hpp"
#include "model/same.hpp"

#include "sinew/animate.hpp"
#include "sinew/geometry.hpp"

namespace sinew::animate {

namespace {

void normalize(std::span<double> numbers) {
  double squares = 0;
  for (const double x : numbers) squares += x * x;
  if (squares > 0)
    for (double& x : numbers) x /= std::sqrt(squares);
}

/// Computes the numbers of the track at the moment (glTF 2.0, appendix C). Only cubic rotations are normalised, at keys too, because the
/// curve would jump there otherwise.
Numbers interpolate(const Track& track, const Keys& keys, const Moment& at, std::size_t dimension) {
  const bool rotation = track.path == TrackPath::rotation;
  Numbers from = keys.get(at.key, Keys::value);
  if (at.t > 0 && track.interpolation != Interpolation::step) {
    const Numbers to = keys.get(at.key + 1, Keys::value);
    if (track.interpolation == Interpolation::cubic_spline) {
      follow_spline(from, keys.get(at.key, Keys::out_tangent), keys.get(at.key + 1, Keys::in_tangent), to, at.t, at.seconds);
    } else if (rotation && !track.quaternions) {
      Numbers between(rotor_size(dimension));
      need(slerp(dimension, from, to, at.t, between));
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

/// Same as interpolate, for the most common tracks: floats, one row per key. Converts only the numbers of two keys.
template <std::size_t width>
std::array<double, width> interpolate_floats(const Track& track, const Moment& at) {
  const auto rows = track.values.view<float>();
  const float* from = rows[at.key];
  const bool between = at.t > 0 && track.interpolation != Interpolation::step;
  const float* to = between ? rows[at.key + 1] : from;
  std::array<double, width> now;
  if (between && width == 4)
    detail::slerp(width, from, to, at.t, now.data());
  else
    for (std::size_t i = 0; i < width; ++i)
      now[i] = between ? (1 - at.t) * static_cast<double>(from[i]) + at.t * static_cast<double>(to[i]) : static_cast<double>(from[i]);
  return now;
}

/// Same as `assign`, for a size known at compile time.
template <class Vector, std::size_t size>
void set(Vector& out, const std::array<double, size>& now) {
  out.assign(size, 0);
  std::copy_n(now.data(), size, out.data());
}

void write_transform(const Track& track, const Moment& at, std::size_t dimension, LocalTransform& local) {
  if (!track.keeps_basis) local.basis.clear();
  const bool rotation = track.path == TrackPath::rotation;
  const bool floats = track.values.holds<float>() && track.interpolation != Interpolation::cubic_spline;
  const auto write = [&](auto& part) {
    if (floats && !rotation && track.values.width() == 3) return set(part, interpolate_floats<3>(track, at));
    const Numbers now = interpolate(track, Keys(track, 1), at, dimension);
    if (track.quaternions)
      part.assign(rotor_from_quaternion(std::span<const double>(now).first<4>()));
    else
      part.assign(now);
  };
  if (rotation && floats && track.quaternions) {
    set(local.rotor, rotor_from_quaternion(interpolate_floats<4>(track, at)));
  } else if (rotation) {
    write(local.rotor);
  } else {
    write(track.path == TrackPath::scale ? local.scale : local.translation);
  }
}

}  // namespace

Result<> sample(const Model& model, const Clip& clip, double seconds, Pose& pose) SINEW_TRY {
  const Array* times = nullptr;  // most tracks of a clip share their times with the previous track
  Moment at;
  for (const Track& track : clip.tracks) {
    if (track.node >= model.nodes.size() || track.times.empty()) continue;
    if (times == nullptr || !same(*times, track.times)) at = moment_of(track.times, seconds);
    times = &track.times;
    write(model, track, at, pose);
  }
  need(constrain(model, pose));
  return {};
}
SINEW_CATCH()

void write(const Model& model, const Track& track, const Moment& at, Pose& pose) {
  if (track.path != TrackPath::amounts) {
    write_transform(track, at, model.dimension, pose.locals[track.node]);
  } else if (const Index mesh = model.nodes[track.node].mesh; mesh != none) {
    write_amounts(track, at, model.meshes[mesh].shapes.size(), pose.amounts[track.node]);
  }
}

Result<std::vector<double>> frame_times(double duration, std::size_t frames) SINEW_TRY {
  std::vector<double> times(frames);
  for (std::size_t i = 1; i < frames; ++i) times[i] = duration * (static_cast<double>(i) / static_cast<double>(frames - 1));
  return times;
}
SINEW_CATCH()

Result<std::vector<double>> frame_times_at(double duration, double fps) SINEW_TRY {
  assert(duration >= 0 && fps > 0);
  const auto last = static_cast<std::size_t>(std::floor(duration * fps + 1e-6));
  std::vector<double> times(last + 1);
  for (std::size_t k = 0; k <= last; ++k) times[k] = static_cast<double>(k) / fps;
  return times;
}
SINEW_CATCH()

}  // namespace sinew::animate
