// SPDX-License-Identifier: MIT
#include "operations/bounds/track_growth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/guard.hpp"
#include "math/dimension.hpp"
#include "math/spectral_norm.hpp"

namespace sinew::operations {

namespace {

using animate::Keys;
using animate::Numbers;

double largest(std::span<const double> numbers) {
  double most = 0;
  for (const double x : numbers) most = std::max(most, std::abs(x));
  return most;
}

double distance(std::span<const double> a, std::span<const double> b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

/// Returns the smallest distance of the segment from a to b from the origin.
double distance_from_origin(std::span<const double> a, std::span<const double> b) {
  double along = 0, squares = 0;  // −a·(b−a), |b−a|²
  for (std::size_t i = 0; i < a.size(); ++i) {
    along -= a[i] * (b[i] - a[i]);
    squares += (b[i] - a[i]) * (b[i] - a[i]);
  }
  const double t = squares > 0 ? std::clamp(along / squares, 0.0, 1.0) : 0;
  double nearest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i] + t * (b[i] - a[i]);
    nearest += x * x;
  }
  return std::sqrt(nearest);
}

/// Values and second derivatives (the time between the keys as the unit) of a track at both ends of an interval between two keys. Cubic
/// splines are taken before a rotation is normalised.
struct Ends {
  Numbers from, to;
  Numbers bend_from, bend_to;  ///< empty: a straight line
  double share = 0;            ///< of the time between the keys

  Ends(const Playing& playing, double begin, double end);
};

/// A component of a cubic spline (glTF 2.0, appendix C).
struct Cubic {
  double from, out, to, in;  ///< tangents times the seconds between the keys

  [[nodiscard]] double at(double t) const {
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * from + (t3 - 2 * t2 + t) * out + (3 * t2 - 2 * t3) * to + (t3 - t2) * in;
  }
  [[nodiscard]] double bend(double t) const { return (12 * t - 6) * (from - to) + (6 * t - 4) * out + (6 * t - 2) * in; }
};

Ends::Ends(const Playing& playing, double begin, double end) {
  const Keys keys(*playing.track, playing.numbers);
  from = to = keys.get(playing.key, Keys::value);
  if (playing.still()) return;
  const double s = playing.moment(begin).t, t = playing.moment(end).t;
  share = t - s;
  const Numbers next = keys.get(playing.key + 1, Keys::value);
  if (playing.track->interpolation == Interpolation::cubic_spline) {
    const Numbers out = keys.get(playing.key, Keys::out_tangent), in = keys.get(playing.key + 1, Keys::in_tangent);
    bend_from = bend_to = from;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const Cubic cubic{from[i], playing.length * out[i], next[i], playing.length * in[i]};
      from[i] = cubic.at(s);
      to[i] = cubic.at(t);
      bend_from[i] = cubic.bend(s);
      bend_to[i] = cubic.bend(t);
    }
  } else if (playing.track->path == TrackPath::rotation) {
    const Numbers first = from;
    slerp(first, next, s, from);
    slerp(first, next, t, to);
  } else {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const double first = from[i];
      from[i] = (1 - s) * first + s * next[i];
      to[i] = (1 - t) * first + t * next[i];
    }
  }
}

/// Bounds a line or a cubic spline: the second derivative is linear in time, so its norm is largest at an end.
template <class Norm>
Growth growth_of(const Ends& ends, Norm norm_of) {
  Numbers way = ends.to;
  for (std::size_t i = 0; i < way.size(); ++i) way[i] -= ends.from[i];
  const double bend = ends.bend_from.empty() ? 0 : ends.share * ends.share * std::max(norm_of(ends.bend_from), norm_of(ends.bend_to));
  return {std::max(norm_of(ends.from), norm_of(ends.to)) + bend / 8, norm_of(way) + bend / 2, bend, 0};
}

/// Rotations above three dimensions: the matrix of a rotor that is not a rotation may exceed the square of the rotor's length by this
/// factor.
double excess(std::size_t dimension) { return dimension <= 3 ? 1 : std::sqrt(static_cast<double>(rotor_size(dimension))); }

/// Returns the norm of the matrix of a rotor after normalisation.
double length_of_matrix(const Numbers& rotor, std::size_t dimension) {
  if (dimension <= 3) return 1;
  Numbers unit = rotor;
  const double length = norm(rotor);
  for (double& x : unit) x /= length;
  std::array<double, max_dimension * max_dimension> matrix{};
  need(matrix_from_rotor(dimension, unit, std::span(matrix).first(dimension * dimension)));
  return spectral_norm(dimension, std::span(matrix).first(dimension * dimension));
}

/// Bounds a normalised spline. With u = q/|q| and |q| ≥ n: |u′| ≤ |q′|/n and |u″| ≤ |q″|/n + 3/2·|q′|²/n². The matrix is quadratic in u.
Growth growth_of_normalised(const Ends& ends, std::size_t dimension) {
  const Growth q = growth_of(ends, norm);
  const double factor = excess(dimension);
  if (q.first == 0) return {factor, 0, 0, 0};
  const double least = distance_from_origin(ends.from, ends.to) - q.second / 8;
  if (!(least > 0)) return Growth::any(factor);
  const double first = q.first / least, second = q.second / least + 1.5 * first * first;
  const double bend = 2 * factor * (first * first + second);
  const double longest = std::max(length_of_matrix(ends.from, dimension), length_of_matrix(ends.to, dimension));
  return {std::min(factor, longest + bend / 8), 2 * factor * first, bend, 0};
}

/// Bounds the slerp of stored numbers: q(t) = (sin((1−t)θ)·a + sin(tθ)·b)/sin θ, for any lengths of a and b. So q″ = −θ²·q, and |q′|² +
/// θ²|q|² = E is constant. The matrix is (1 − |q|²)·1 + S(q, q) with |S(p, q)| ≤ |p|·|q|.
Growth growth_of_slerp(const Playing& playing, const Ends& ends) {
  const Keys keys(*playing.track, 1);
  const Numbers a = keys.get(playing.key, Keys::value), b = keys.get(playing.key + 1, Keys::value);
  double dot = 0;
  for (std::size_t i = 0; i < a.size(); ++i) dot += a[i] * b[i];
  const double cosine = std::min(std::abs(dot), 1.0), angle = std::acos(cosine), sine = std::sin(angle);
  Numbers start(a.size());  // q′ at the first key
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double to = dot < 0 ? -b[i] : b[i];
    start[i] = sine > 1e-8 ? angle / sine * (to - cosine * a[i]) : to - a[i];
  }
  const double turn = angle * ends.share, whole = (norm(start) * norm(start) + angle * angle * norm(a) * norm(a)) * ends.share * ends.share;
  const double from = norm(ends.from), to = norm(ends.to);
  const double most = std::max(from, to) / (1 - turn * turn / 8);  // |q| ≤ the larger end + θ²|q|/8, and θ ≤ π/2
  const double least = std::max(0.0, distance_from_origin(ends.from, ends.to) - turn * turn * most / 8);
  const double first = std::sqrt(std::max(0.0, whole - turn * turn * least * least));
  // (|q|²)″ = 2E − 4θ²|q|²
  const auto bend_at = [&](double length) { return std::abs(2 * whole - 4 * turn * turn * length * length); };
  const double bend = std::max(bend_at(least), bend_at(most));
  const double off_unit = std::max(std::abs(1 - least * least), std::abs(1 - most * most));
  return {off_unit + most * most, std::abs(to * to - from * from) + bend / 2 + 2 * most * first,
          bend + 2 * first * first + 2 * most * most * turn * turn, 0};
}

using RotorMatrix = std::array<double, max_dimension * max_dimension>;

RotorMatrix matrix_at(const Playing& playing, double t, std::size_t dimension) {
  const Keys keys(*playing.track, 1);
  Numbers rotor = keys.get(playing.key, Keys::value);
  if (t > 0) {
    Numbers between(rotor_size(dimension));
    need(slerp(dimension, rotor, keys.get(playing.key + 1, Keys::value), t, between));
    rotor = between;
  }
  RotorMatrix matrix{};
  need(matrix_from_rotor(dimension, rotor, std::span(matrix).first(dimension * dimension)));
  return matrix;
}

double frobenius(const RotorMatrix& a, const RotorMatrix& b) { return distance(a, b); }

}  // namespace

double norm(std::span<const double> numbers) {
  double squares = 0;
  for (const double x : numbers) squares += x * x;
  return std::sqrt(squares);
}

Playing::Playing(const Track& played, std::span<const double> times, double inside, std::size_t shapes, std::size_t dimension)
    : track(&played), numbers(shapes) {
  const auto after = std::upper_bound(times.begin(), times.end(), inside);
  key = after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
  begin = times[key];
  if (inside > begin && key + 1 < times.size()) length = times[key + 1] - begin;
  if (track->path != TrackPath::rotation || dimension <= 3 || track->interpolation == Interpolation::cubic_spline) return;
  // Above three dimensions: a turn at constant speed that starts exactly at the key and ends near the next one, if those are rotations.
  // Both singular values of a plane's turn are equal, so the spectral norm is at most 1/√2 of the Frobenius norm.
  constexpr double before_end = 0x1p-30;
  const RotorMatrix first = matrix_at(*this, 0, dimension);
  size = spectral_norm(dimension, std::span(first).first(dimension * dimension));
  if (still()) return;
  const RotorMatrix last = matrix_at(*this, 1 - before_end, dimension);
  const double defect = std::abs(size - 1);
  const double sine = frobenius(first, last) / (2 * std::numbers::sqrt2 * std::max(0.5, 1 - 2 * defect));
  angle = defect < 0.1 && sine < 1 ? std::min(std::numbers::pi, 2 * std::asin(sine) * (1 + 1e-6) + 1e-7) : std::numbers::pi;
  jump = frobenius(last, matrix_at(*this, 1, dimension)) + size * std::numbers::pi * before_end;
}

animate::Moment Playing::moment(double seconds) const {
  if (length == 0) return {key, 0, 0};
  return {key, std::clamp((seconds - begin) / length, 0.0, 1.0), length};
}

Growth growth_of_vector(const Playing& playing, double begin, double end) {
  const Ends ends(playing, begin, end);
  return playing.track->path == TrackPath::scale ? growth_of(ends, largest) : growth_of(ends, norm);
}

Growth growth_of_rotation(const Playing& playing, double begin, double end, std::size_t dimension) {
  const bool cubic = playing.track->interpolation == Interpolation::cubic_spline;
  if (cubic) return growth_of_normalised(Ends(playing, begin, end), dimension);
  if (dimension > 3) {
    const double size = playing.size + playing.jump;
    if (playing.still()) return {size, 0, 0, 0};
    const double turn = playing.angle * (playing.moment(end).t - playing.moment(begin).t);
    return {size, size * turn, size * turn * turn, playing.jump};
  }
  const Ends ends(playing, begin, end);
  if (!playing.still()) return growth_of_slerp(playing, ends);
  const double squares = norm(ends.from) * norm(ends.from);
  return {std::abs(1 - squares) + squares, 0, 0, 0};
}

void growth_of_amounts(const Playing& playing, double begin, double end, std::vector<Growth>& out) {
  const Ends ends(playing, begin, end);
  const double squares = ends.share * ends.share;
  out.resize(ends.from.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double bend = ends.bend_from.empty() ? 0 : squares * std::max(std::abs(ends.bend_from[i]), std::abs(ends.bend_to[i]));
    out[i] = {std::max(std::abs(ends.from[i]), std::abs(ends.to[i])) + bend / 8, std::abs(ends.to[i] - ends.from[i]) + bend / 2, bend, 0};
  }
}

double least_component(const Playing& playing, double begin, double end) {
  const Ends ends(playing, begin, end);
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < ends.from.size(); ++i) {
    const double bend =
        ends.bend_from.empty() ? 0 : ends.share * ends.share * std::max(std::abs(ends.bend_from[i]), std::abs(ends.bend_to[i]));
    const bool changes_sign = (ends.from[i] < 0) != (ends.to[i] < 0);
    least = std::min(least, changes_sign ? 0 : std::min(std::abs(ends.from[i]), std::abs(ends.to[i])) - bend / 8);
  }
  return std::max(0.0, least);
}

}  // namespace sinew::operations
