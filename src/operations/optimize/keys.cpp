// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/edit_reporter.hpp"
#include "model/key_times.hpp"
#include "model/rows_of.hpp"
#include "operations/optimize/levers.hpp"
#include "operations/optimize/steps.hpp"
#include "operations/repair/repair_steps.hpp"

#include "sinew/array.hpp"
#include "sinew/geometry.hpp"

namespace sinew::operations {

namespace {

using Kept = std::vector<std::size_t>;  ///< numbers of keys, ascending

/// The keys of a track with step or linear interpolation, and how far an error of their values moves vertices.
class Keys {
 public:
  Keys(const Model& model, const Track& track, const Levers& levers)
      : model_(model), track_(track), times_(track.times.read<double>()), values_(track.values.read<double>()) {
    width_ = times_.empty() ? 0 : values_.size() / times_.size();
    const double scale = levers.scale[track.node], reach = levers.reach[track.node];
    factor_ = track.path == TrackPath::translation ? scale : track.path == TrackPath::rotation ? 2 * reach : reach;
    if (track.path == TrackPath::amounts) shapes_ = levers.shapes[track.node];
    shapes_.resize(track.path == TrackPath::amounts ? width_ : 0);
    between_.resize(width_);
  }

  [[nodiscard]] std::size_t size() const { return times_.size(); }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::span<const double> value(std::size_t key) const { return std::span(values_).subspan(key * width_, width_); }

  /// How far a vertex moves if the track has the value `a` instead of `b`: at most, by the estimate of the levers.
  [[nodiscard]] double distance(std::span<const double> a, std::span<const double> b) const {
    double squares = 0, opposite = 0, sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double difference = a[i] - b[i];
      squares += difference * difference;
      opposite += (a[i] + b[i]) * (a[i] + b[i]);
      if (!shapes_.empty()) sum += std::abs(difference) * shapes_[i];
    }
    if (track_.path == TrackPath::amounts) return sum;
    // A rotor and its opposite are the same rotation.
    return factor_ * std::sqrt(track_.path == TrackPath::rotation ? std::min(squares, opposite) : squares);
  }

  [[nodiscard]] bool constant(std::span<const double> value, double limit) const {
    for (std::size_t key = 0; key < size(); ++key)
      if (!(distance(this->value(key), value) <= limit)) return false;
    return true;
  }

  /// Returns the keys to keep: greedily, as few as possible, the first and the last one included.
  [[nodiscard]] Kept reduce(double limit) {
    Kept kept{0};
    while (kept.back() + 1 < size()) {
      const std::size_t from = kept.back();
      std::size_t good = from + 1, step = 1;
      while (good + step < size() && can_skip(from, good + step, limit)) {
        good += step;
        step *= 2;
      }
      for (; step != 0; step /= 2)
        if (good + step < size() && can_skip(from, good + step, limit)) good += step;
      kept.push_back(good);
    }
    return kept;
  }

 private:
  /// Returns whether the track stays within the limit without the keys between two keys.
  bool can_skip(std::size_t from, std::size_t to, double limit) {
    const double length = times_[to] - times_[from];
    for (std::size_t key = from + 1; key < to; ++key) {
      interpolate(from, to, (times_[key] - times_[from]) / length);
      if (!(distance(value(key), between_) <= limit)) return false;
    }
    return true;
  }

  void interpolate(std::size_t from, std::size_t to, double t) {
    const std::span<const double> a = value(from), b = value(to);
    if (track_.interpolation == Interpolation::step) {
      std::ranges::copy(a, between_.begin());
    } else if (track_.path == TrackPath::rotation && track_.quaternions) {
      slerp(a, b, t, between_);
    } else if (track_.path == TrackPath::rotation) {
      need(slerp(model_.dimension, a, b, t, between_));
    } else {
      for (std::size_t i = 0; i < width_; ++i) between_[i] = (1 - t) * a[i] + t * b[i];
    }
  }

  const Model& model_;
  const Track& track_;
  std::vector<double> times_, values_;
  std::size_t width_ = 0;
  double factor_ = 0;
  std::vector<double> shapes_, between_;
};

/// Returns the track with linear interpolation if all tangents of a cubic spline are those of straight lines; rotations must not turn.
std::optional<Track> straight(const Track& track) {
  const std::vector<double> times = track.times.read<double>(), values = track.values.read<double>();
  const std::size_t keys = times.size(), width = keys == 0 ? 0 : values.size() / (3 * keys);
  if (width == 0 || values.size() != 3 * keys * width) return std::nullopt;
  const auto at = [&](std::size_t key, std::size_t part, std::size_t i) { return values[(3 * key + part) * width + i]; };
  for (std::size_t key = 0; key + 1 < keys; ++key)
    for (std::size_t i = 0; i < width; ++i) {
      const double rise = at(key + 1, 1, i) - at(key, 1, i), slope = rise / (times[key + 1] - times[key]);
      const double size = (std::abs(at(key, 1, i)) + std::abs(at(key + 1, 1, i))) / (times[key + 1] - times[key]);
      const double slack = 1e-6 * (std::abs(slope) + size);  // rounding of the stored numbers
      if (!(std::abs(at(key, 2, i) - slope) <= slack && std::abs(at(key + 1, 0, i) - slope) <= slack)) return std::nullopt;
      if (track.path == TrackPath::rotation && rise != 0) return std::nullopt;
    }
  const std::size_t per_key = width / track.values.width();
  Kept rows;
  for (std::size_t key = 0; key < keys; ++key)
    for (std::size_t i = 0; i < per_key; ++i) rows.push_back((3 * key + 1) * per_key + i);
  Track made = track;
  made.interpolation = Interpolation::linear;
  made.values = rows_of(track.values, rows, 1);
  return made;
}

/// The plan for a track: which keys stay; none: it goes.
struct Plan {
  Track track;  ///< with all keys
  std::size_t per_key = 1;
  Kept kept;
  bool changed = false;
};

constexpr double object_size = 150;  ///< bytes of JSON text of an accessor and its view, about

class ClipReduction {
 public:
  /// `compressed`: the keys will be compressed.
  ClipReduction(const Model& model, const Levers& levers, double limit, bool compressed)
      : model_(model), levers_(levers), limit_(limit), compressed_(compressed) {}

  /// Returns what was done, or an empty text.
  std::string run(Clip& clip) {
    std::vector<Plan> plans;
    double end = 0;
    for (const Track& track : clip.tracks) {
      end = std::max(end, last_time(track));
      plans.push_back(plan(clip, track));
    }
    keep_duration(plans, end);
    std::size_t before = 0, after = 0, removed = 0, reduced = 0;
    std::vector<Track> tracks;
    for (Plan& plan : plans) {
      const std::size_t keys = plan.track.times.size();
      before += keys;
      after += plan.changed ? plan.kept.size() : keys;
      if (plan.changed && plan.kept.empty()) {
        ++removed;
        continue;
      }
      reduced += plan.changed ? 1 : 0;
      if (plan.changed && plan.kept.size() < keys) {
        plan.track.times = rows_of(plan.track.times, plan.kept, 1);
        plan.track.values = rows_of(plan.track.values, plan.kept, plan.per_key);
      }
      tracks.push_back(std::move(plan.track));
    }
    if (removed + reduced == 0) return {};
    clip.tracks = std::move(tracks);
    return format_text("kept {} of {} keys; reduced {} and removed {}", after, before, count_of(reduced, "track", "tracks"), removed);
  }

 private:
  Plan plan(const Clip& clip, const Track& track) const {
    Plan made{track, 1, {}, false};
    const bool usable =
        track.node < model_.nodes.size() && model_.nodes[track.node].defect == none && !track.times.empty() && !has_equal_times(track);
    if (!usable) return made;
    if (track.interpolation == Interpolation::cubic_spline) {
      auto linear = straight(track);
      if (!linear) return made;
      made.track = std::move(*linear);
      made.changed = true;
      made.kept.resize(track.times.size());
      std::iota(made.kept.begin(), made.kept.end(), std::size_t{0});
    }
    Keys keys(model_, made.track, levers_);
    if (keys.width() == 0 || made.track.values.size() % keys.size() != 0) return {track, 1, {}, false};
    made.per_key = made.track.values.size() / keys.size();
    if (keys.constant(keys.value(0), limit_)) {
      const std::vector<double> rest = resting_values(model_, made.track);
      made.kept.clear();
      if (rest.size() != keys.width() || !keys.constant(rest, limit_)) made.kept.push_back(0);
      made.changed |= made.kept.size() < keys.size();
      return made;
    }
    Kept kept = keys.reduce(limit_);
    if (!saves(clip, track, kept.size())) return made;
    made.changed = true;
    made.kept = std::move(kept);
    return made;
  }

  /// Returns whether fewer keys need fewer bytes, although the track then has times of its own.
  [[nodiscard]] bool saves(const Clip& clip, const Track& track, std::size_t kept) const {
    const auto keys = static_cast<double>(track.times.size());
    const auto sharing = static_cast<double>(
        std::ranges::count_if(clip.tracks, [&](const Track& other) { return other.times.data() == track.times.data(); }));
    // Values become about a quarter of floats when compressed. Times do not: they are spread unevenly then.
    const double per_key =
        (compressed_ ? 0.25 : 1) * static_cast<double>(track.values.size() * track.values.width() * byte_size(track.values.type())) / keys;
    return static_cast<double>(kept) * (4 + per_key) + object_size < keys * per_key + (4 * keys + object_size) / std::max(1.0, sharing);
  }

  /// Keeps two keys of a constant track if the clip would otherwise become shorter.
  static void keep_duration(std::vector<Plan>& plans, double end) {
    const auto ends = [&](const Plan& plan) { return last_time(plan.track) == end; };
    const auto reaches = [&](const Plan& plan) {
      return ends(plan) && (!plan.changed || (!plan.kept.empty() && plan.kept.back() + 1 == plan.track.times.size()));
    };
    if (std::ranges::any_of(plans, reaches)) return;
    auto last = std::ranges::find_if(plans, [&](const Plan& plan) { return ends(plan) && !plan.kept.empty(); });
    if (last == plans.end()) last = std::ranges::find_if(plans, ends);
    if (last == plans.end()) return;
    if (last->kept.empty()) last->kept.push_back(0);
    if (last->track.times.size() > 1) last->kept.push_back(last->track.times.size() - 1);
  }

  const Model& model_;
  const Levers& levers_;
  double limit_;
  bool compressed_;
};

}  // namespace

Result<StepResult> reduce_keys(const StepInput& input, FindingSink& changes) {
  if (input.strict) return StepResult{input.document, "left out: it would change the rounding of vertices"};
  if (input.model.clips.empty()) return StepResult{input.document, "the file has no animations"};
  const Levers levers = levers_of(input.model, input.diagonal);
  const ClipReduction reduction(input.model, levers, input.distance, input.options.compression != OptimizeCompression::none);
  Model after = input.model;
  const EditReporter reporter(after, changes);
  bool changed = false;
  for (Clip& clip : after.clips) {
    if (clip.defect != none) continue;
    const std::string done = ClipReduction(reduction).run(clip);
    if (done.empty()) continue;
    reporter.changed(clip, format_text("\"{}\": {}", clip.name, done));
    changed = true;
  }
  if (!changed) return StepResult{input.document};
  auto document = edited(input, after, changes);
  if (!document) return Unexpected(std::move(document.error()));
  return StepResult{std::move(*document)};
}

}  // namespace sinew::operations
