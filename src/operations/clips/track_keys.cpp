// SPDX-License-Identifier: MIT
#include "operations/clips/track_keys.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "base/guard.hpp"
#include "math/length.hpp"

#include "sinew/geometry.hpp"

namespace sinew::operations {

namespace {

using Row = std::vector<double>;

Row row_of(std::span<const double> numbers) { return {numbers.begin(), numbers.end()}; }
Row scaled(Row row, double factor) {
  for (double& x : row) x *= factor;
  return row;
}

/// A value, and its change in a second.
struct Sample {
  Row value, slope;
};
using Curve = std::function<Sample(double time)>;

Sample on_spline(const TrackKeys& keys, std::size_t key, double time) {
  const double seconds = keys.times[key + 1] - keys.times[key], t = (time - keys.times[key]) / seconds, t2 = t * t, t3 = t2 * t;
  const auto from = keys.value(key), to = keys.value(key + 1), out = keys.part(key, 2), in = keys.part(key + 1, 0);
  Sample now{Row(keys.width), Row(keys.width)};
  for (std::size_t i = 0; i < keys.width; ++i) {
    now.value[i] =
        (2 * t3 - 3 * t2 + 1) * from[i] + seconds * (t3 - 2 * t2 + t) * out[i] + (3 * t2 - 2 * t3) * to[i] + seconds * (t3 - t2) * in[i];
    now.slope[i] = (6 * t2 - 6 * t) / seconds * (from[i] - to[i]) + (3 * t2 - 4 * t + 1) * out[i] + (3 * t2 - 2 * t) * in[i];
  }
  return now;
}

/// Returns the value between a key and the next one, of other keys than splines.
Row between(const TrackKeys& keys, std::size_t key, double time) {
  Row now = row_of(keys.value(key));
  if (keys.interpolation == Interpolation::step) return now;
  const double t = (time - keys.times[key]) / (keys.times[key + 1] - keys.times[key]);
  const auto to = keys.value(key + 1);
  if (keys.turns != 0) {
    Row turned(keys.width);
    need(slerp(keys.turns, now, to, t, turned));
    return turned;
  }
  for (std::size_t i = 0; i < now.size(); ++i) now[i] = (1 - t) * now[i] + t * to[i];
  return now;
}

/// The rotation that a spline means, with another length.
Sample with_length(Sample raw, double length) {
  const double size = length_of(raw.value);
  if (!(size > 0)) return raw;
  double along = 0;
  for (std::size_t i = 0; i < raw.value.size(); ++i) along += raw.value[i] * raw.slope[i];
  for (std::size_t i = 0; i < raw.value.size(); ++i)
    raw.slope[i] = length * (raw.slope[i] / size - raw.value[i] * along / (size * size * size));
  raw.value = scaled(std::move(raw.value), length / size);
  return raw;
}

/// Adds keys one after the other. The tangents of a key come from the pieces before and after it.
class KeyMaker {
 public:
  explicit KeyMaker(const TrackKeys& like) {
    made_.width = like.width;
    made_.interpolation = like.interpolation;
    made_.turns = like.turns;
    none_.assign(like.width, 0);
  }

  void add(double time, std::span<const double> value, std::span<const double> in) {
    made_.times.push_back(time);
    if (made_.cubic()) made_.values.insert(made_.values.end(), in.begin(), in.end());
    made_.values.insert(made_.values.end(), value.begin(), value.end());
    if (made_.cubic()) made_.values.insert(made_.values.end(), none_.begin(), none_.end());
  }
  void add(double time, std::span<const double> value) { add(time, value, none_); }

  void set_last_value(std::span<const double> value) {
    std::ranges::copy(value, made_.values.end() - static_cast<std::ptrdiff_t>((made_.cubic() ? 2 : 1) * made_.width));
  }
  void set_last_out(std::span<const double> out) { std::ranges::copy(out, made_.values.end() - static_cast<std::ptrdiff_t>(made_.width)); }

  /// Follows a curve of rotations with as few keys as it needs. `shift`: the time of the result at 0 s of the curve. `later`: how much
  /// later the result will be, so that its times are float32 there.
  void follow(const Curve& curve, double from, double to, double shift, double later, int depth = 0) {
    const Sample first = curve(from), last = curve(to);
    TrackKeys piece{{from, to}, {}, made_.width, Interpolation::cubic_spline, made_.turns};
    for (const Row* const row : {&std::as_const(none_), &first.value, &first.slope, &last.slope, &last.value, &std::as_const(none_)})
      piece.values.insert(piece.values.end(), row->begin(), row->end());
    constexpr int most = 12;
    if (depth < most && !is_close(piece, curve)) {
      const double moved = shift + later;
      const double middle = static_cast<double>(static_cast<float>(from + (to - from) / 2 + moved)) - moved;
      if (from < middle && middle < to) {
        follow(curve, from, middle, shift, later, depth + 1);
        return follow(curve, middle, to, shift, later, depth + 1);
      }
    }
    set_last_out(first.slope);
    add(to + shift, last.value, last.slope);
  }

  [[nodiscard]] TrackKeys take() { return std::move(made_); }

 private:
  static bool is_close(const TrackKeys& piece, const Curve& curve) {
    constexpr double tolerance = 1e-7;  // of float32
    for (const double part : {0.25, 0.5, 0.75}) {
      const double time = piece.times[0] + part * (piece.times[1] - piece.times[0]);
      const Sample made = with_length(on_spline(piece, 0, time), 1), wanted = with_length(curve(time), 1);
      for (std::size_t i = 0; i < made.value.size(); ++i)
        if (!(std::abs(made.value[i] - wanted.value[i]) <= tolerance)) return false;
    }
    return true;
  }

  TrackKeys made_;
  Row none_;
};

/// Adds the part of a track from the last added time to `to`, between a key and the next one.
void add_piece(KeyMaker& made, const TrackKeys& keys, std::size_t key, double from, double to, double start) {
  const bool ends = to == keys.times[key + 1], begins = from == keys.times[key];
  if (!keys.cubic()) {
    const Row value = ends ? row_of(keys.value(key + 1)) : between(keys, key, to);
    return made.add(to - start, value);
  }
  if (begins && ends) {
    made.set_last_out(keys.part(key, 2));
    return made.add(to - start, keys.value(key + 1), keys.part(key + 1, 0));
  }
  if (keys.turns != 0) {
    const double length = ends ? length_of(keys.value(key + 1)) : begins ? length_of(keys.value(key)) : 1;
    const Curve curve = [&keys, key, length](double time) { return with_length(on_spline(keys, key, time), length); };
    if (!begins) made.set_last_value(curve(from).value);
    return made.follow(curve, from, to, -start, 0);
  }
  const Sample last = on_spline(keys, key, to);
  made.set_last_out(begins ? row_of(keys.part(key, 2)) : on_spline(keys, key, from).slope);
  made.add(to - start, ends ? row_of(keys.value(key + 1)) : last.value, last.slope);
}

double before(double time) {
  return static_cast<double>(std::nextafter(static_cast<float>(time), -std::numeric_limits<float>::infinity()));
}

/// Steps become values that stay until the float32 before the next key.
TrackKeys with_jumps(const TrackKeys& keys, Interpolation interpolation, double shift) {
  TrackKeys kind = keys;
  kind.interpolation = interpolation;
  KeyMaker made(kind);
  for (std::size_t key = 0; key < keys.times.size(); ++key) {
    const double jump = before(keys.times[key] + shift) - shift;
    if (key != 0 && jump > keys.times[key - 1]) made.add(jump, keys.value(key - 1));
    made.add(keys.times[key], keys.value(key));
  }
  return made.take();
}

/// The value and slope between two linear keys.
Sample on_line(const TrackKeys& keys, std::size_t key, double time) {
  const double from = keys.times[key], to = keys.times[key + 1];
  Sample now{between(keys, key, time), Row(keys.width)};
  if (keys.turns == 0) {
    for (std::size_t i = 0; i < keys.width; ++i) now.slope[i] = (keys.value(key + 1)[i] - keys.value(key)[i]) / (to - from);
    return now;
  }
  const double step = (time < from + (to - from) / 2 ? 1e-3 : -1e-3) * (to - from);  // stays between the keys
  const auto at = [&](int steps) { return between(keys, key, time + steps * step); };
  const Row a = at(1), b = at(2), c = at(3), d = at(4);
  for (std::size_t i = 0; i < keys.width; ++i)
    now.slope[i] = (-25 * now.value[i] + 48 * a[i] - 36 * b[i] + 16 * c[i] - 3 * d[i]) / (12 * step);
  return now;
}

TrackKeys as_spline(const TrackKeys& keys, double later) {
  TrackKeys kind = keys;
  kind.interpolation = Interpolation::cubic_spline;
  KeyMaker made(kind);
  made.add(keys.times[0], keys.value(0));
  double sign = 1;  // slerp may end at -q, where the next two keys begin at q; a spline must go on from -q
  for (std::size_t key = 0; key + 1 < keys.times.size(); ++key) {
    const double from = keys.times[key], to = keys.times[key + 1];
    if (!(to > from)) {
      made.add(to, scaled(row_of(keys.value(key + 1)), sign));
      continue;
    }
    made.follow(
        [&](double time) {
          Sample now = on_line(keys, key, time);
          return Sample{scaled(std::move(now.value), sign), scaled(std::move(now.slope), sign)};
        },
        from, to, 0, later);
    if (keys.turns == 0) continue;
    const Row end = between(keys, key, to);
    double along = 0;
    for (std::size_t i = 0; i < keys.width; ++i) along += end[i] * keys.value(key + 1)[i];
    if (along < 0) sign = -sign;
  }
  return made.take();
}

}  // namespace

TrackKeys cut(const TrackKeys& keys, double start, double end) {
  const std::size_t count = keys.times.size();
  auto next = static_cast<std::size_t>(std::ranges::upper_bound(keys.times, start) - keys.times.begin());
  KeyMaker made(keys);
  const std::size_t first = next == 0 ? 0 : next - 1;
  const bool inside = next != 0 && next != count && keys.times[first] != start;
  if (!inside)
    made.add(0, keys.value(first));
  else if (keys.cubic())
    made.add(0, on_spline(keys, first, start).value);
  else
    made.add(0, between(keys, first, start));
  double from = start;
  for (; next < count && keys.times[next] <= end; from = keys.times[next++])
    if (next == 0)
      made.add(keys.times[0] - start, keys.value(0));
    else
      add_piece(made, keys, next - 1, from, keys.times[next], start);
  if (from < end && (next == 0 || next == count))
    made.add(end - start, keys.value(next == 0 ? 0 : count - 1));
  else if (from < end)
    add_piece(made, keys, next - 1, from, end, start);
  return made.take();
}

TrackKeys held(std::span<const double> value, double length, const TrackKeys& like) {
  KeyMaker made(like);
  made.add(0, value);
  made.add(length, value);
  return made.take();
}

TrackKeys as(const TrackKeys& keys, Interpolation interpolation, double shift) {
  if (keys.interpolation == interpolation) return keys;
  return keys.interpolation == Interpolation::step ? with_jumps(keys, interpolation, shift) : as_spline(keys, shift);
}

void append(TrackKeys& keys, double length, const TrackKeys& next) {
  const double seam = static_cast<double>(static_cast<float>(length));
  const auto last = keys.value(keys.times.size() - 1), first = next.value(0);
  constexpr double rounding = 1e-7;
  const bool same =
      std::ranges::equal(last, first, [](double a, double b) { return std::abs(a - b) <= rounding * std::max(1.0, std::abs(a)); });
  const auto width = static_cast<std::ptrdiff_t>(keys.width), row = (keys.cubic() ? 3 : 1) * width;
  if (!same && keys.times.size() > 1 && keys.times[keys.times.size() - 2] >= before(seam)) {  // a jump at the end
    keys.times.pop_back();
    keys.values.resize(keys.values.size() - static_cast<std::size_t>(row));
  } else {
    keys.times.back() = same ? seam : before(seam);
  }
  if (same && keys.cubic()) std::ranges::copy(next.part(0, 2), keys.values.end() - width);
  for (std::size_t key = same ? 1 : 0; key < next.times.size(); ++key) keys.times.push_back(seam + next.times[key]);
  keys.values.insert(keys.values.end(), next.values.begin() + (same ? row : 0), next.values.end());
}

void round_times(TrackKeys& keys) {
  const auto row = static_cast<std::ptrdiff_t>((keys.cubic() ? 3 : 1) * keys.width);
  const auto rounded = [](double time) { return static_cast<double>(static_cast<float>(time)); };
  TrackKeys kept = keys;
  kept.times.clear();
  kept.values.clear();
  for (std::size_t key = 0; key < keys.times.size(); ++key) {
    const bool lost =
        key + 1 < keys.times.size() && keys.times[key] < keys.times[key + 1] && rounded(keys.times[key]) == rounded(keys.times[key + 1]);
    if (lost) continue;
    kept.times.push_back(rounded(keys.times[key]));
    const auto from = keys.values.begin() + static_cast<std::ptrdiff_t>(key) * row;
    kept.values.insert(kept.values.end(), from, from + row);
  }
  keys = std::move(kept);
}

}  // namespace sinew::operations
