// SPDX-License-Identifier: MIT
#include "gltf/read/rig/amount_channels.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sinew::gltf {

namespace {

/// An amount as a function of time.
class Curve {
 public:
  struct Point {
    double value, slope;
  };

  /// The amount of one of `count` shapes that the channel sets.
  Curve(const AmountChannel& channel, std::size_t shape, std::size_t count)
      : interpolation_(channel.samples.interpolation), times_(channel.samples.times.read<double>()) {
    const std::size_t rows = times_.size() * parts();
    values_.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) channel.samples.values.read(row * count + shape, 1, &values_[row]);
  }
  explicit Curve(double constant) : interpolation_(Interpolation::step), values_{constant} {}

  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  /// Returns whether the amount changes between keys, and how.
  [[nodiscard]] Interpolation interpolation() const { return times_.size() < 2 ? Interpolation::step : interpolation_; }

  /// Returns the amount that is approached from before or from after a time.
  [[nodiscard]] Point at(double time, bool before) const {
    const auto next = before ? std::ranges::lower_bound(times_, time) : std::ranges::upper_bound(times_, time);
    if (next == times_.begin()) return {value(0), 0};
    const auto key = static_cast<std::size_t>(next - times_.begin() - 1);
    if (next == times_.end() || interpolation() == Interpolation::step) return {value(key), 0};
    const double seconds = *next - times_[key], t = (time - times_[key]) / seconds, from = value(key), to = value(key + 1);
    if (interpolation_ == Interpolation::linear) return {(1 - t) * from + t * to, (to - from) / seconds};
    const double out = seconds * values_[key * 3 + 2], in = seconds * values_[key * 3 + 3], t2 = t * t, t3 = t2 * t;
    return {(2 * t3 - 3 * t2 + 1) * from + (t3 - 2 * t2 + t) * out + (3 * t2 - 2 * t3) * to + (t3 - t2) * in,
            ((6 * t2 - 6 * t) * (from - to) + (3 * t2 - 4 * t + 1) * out + (3 * t2 - 2 * t) * in) / seconds};
  }

 private:
  [[nodiscard]] std::size_t parts() const { return interpolation_ == Interpolation::cubic_spline ? 3 : 1; }
  [[nodiscard]] double value(std::size_t key) const { return values_[key * parts() + parts() / 2]; }

  Interpolation interpolation_;
  std::vector<double> times_, values_;
};

/// Returns the times of all keys, ascending.
std::vector<double> times_of(const std::vector<Curve>& curves) {
  std::vector<double> all;
  const std::vector<double>* last = nullptr;  // most curves have the times of the one before
  for (const Curve& curve : curves) {
    if (last == nullptr || *last != curve.times()) all.insert(all.end(), curve.times().begin(), curve.times().end());
    last = &curve.times();
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

/// One track with the amounts of all curves. `moments`: times_of.
Track joined(const Reader& reader, const std::vector<Curve>& curves, const std::vector<double>& moments) {
  Track track;
  track.path = TrackPath::amounts;
  track.interpolation = Interpolation::step;
  std::vector<double> times, values;
  for (const Curve& curve : curves) track.interpolation = std::max(track.interpolation, curve.interpolation());
  const auto add_key = [&](double time, const std::vector<Curve::Point>& from, const std::vector<Curve::Point>& to, bool arrives) {
    times.push_back(time);
    const auto add = [&](const std::vector<Curve::Point>& points, double Curve::Point::* part) {
      for (const Curve::Point& point : points) values.push_back(point.*part);
    };
    const bool cubic = track.interpolation == Interpolation::cubic_spline;
    if (cubic) add(from, &Curve::Point::slope);
    add(arrives ? from : to, &Curve::Point::value);
    if (cubic) add(to, &Curve::Point::slope);
  };
  for (const double time : moments) {
    std::vector<Curve::Point> before, after;
    for (const Curve& curve : curves) {
      before.push_back(curve.at(time, true));
      after.push_back(curve.at(time, false));
    }
    const bool jumps =
        track.interpolation != Interpolation::step && !std::ranges::equal(before, after, {}, &Curve::Point::value, &Curve::Point::value);
    if (jumps) add_key(time, before, after, true);
    add_key(time, before, after, false);
  }
  const bool fit = std::ranges::all_of(times, [](double time) { return static_cast<double>(static_cast<float>(time)) == time; });
  track.times = fit ? reader.own(std::vector<float>(times.begin(), times.end()), 1) : reader.own(std::move(times), 1);
  track.values = reader.own(std::move(values), 1);
  return track;
}

class Joiner {
 public:
  Joiner(Reader& reader, const std::vector<AmountChannel>& channels, Clip& clip) : reader_(reader), channels_(channels), clip_(clip) {}

  Checked<> run() {
    std::map<Index, std::vector<const AmountChannel*>> by_node;  // in the order in which they count
    const Model& model = reader_.model();
    if (std::ranges::any_of(channels_, [](const AmountChannel& channel) { return channel.node == none; }))
      for (Index node = 0; node < model.nodes.size(); ++node)
        if (model.nodes[node].mesh != none && !has_own_amounts(model.nodes[node]))
          for (const AmountChannel& channel : channels_)
            if (channel.node == none && channel.mesh == model.nodes[node].mesh) by_node[node].push_back(&channel);
    for (const AmountChannel& channel : channels_)
      if (channel.node != none) by_node[channel.node].push_back(&channel);
    for (const auto& [node, channels] : by_node)
      if (auto added = add(node, channels); !added) return added;
    return {};
  }

 private:
  [[nodiscard]] bool has_own_amounts(const Node& node) const {
    return bool(JsonValue(*reader_.root().value().json(), static_cast<std::uint32_t>(node.source))["weights"]);
  }

  Checked<> add(Index node, const std::vector<const AmountChannel*>& channels) {
    const Model& model = reader_.model();
    const std::vector<double>& stored = model.rest_pose.amounts[node];
    std::vector<const AmountChannel*> by_shape(stored.size());
    for (const AmountChannel* channel : channels)
      for (std::size_t shape = 0; shape < stored.size(); ++shape)
        if (channel->shape == none || channel->shape == shape) by_shape[shape] = channel;
    const AmountChannel& first = *channels.back();
    const bool alone = std::ranges::all_of(by_shape, [&](const AmountChannel* channel) { return channel == &first; });
    if (alone && (first.shape == none || stored.size() == 1)) {
      clip_.tracks.push_back(first.samples);
    } else {
      std::uint64_t keys = 0;
      for (const AmountChannel* channel : by_shape) keys += channel == nullptr ? 0 : channel->samples.times.size();
      const JsonValue at(*reader_.root().value().json(), static_cast<std::uint32_t>(first.samples.source));
      constexpr std::uint64_t numbers_in_curve = 5;  // of a key: two times and three values
      if (auto taken = reader_.take(at, keys, numbers_in_curve * sizeof(double)); !taken) return taken;
      std::vector<Curve> curves;
      for (std::size_t shape = 0; shape < stored.size(); ++shape)
        if (const AmountChannel* channel = by_shape[shape]; channel == nullptr)
          curves.emplace_back(stored[shape]);
        else
          curves.emplace_back(*channel, channel->shape == none ? shape : 0, channel->shape == none ? stored.size() : 1);
      const std::vector<double> moments = times_of(curves);
      constexpr std::uint64_t numbers_in_track = 6;  // of a time and a shape: three for a spline, and twice for jumps
      if (auto taken = reader_.take(at, moments.size() * stored.size(), numbers_in_track * sizeof(double)); !taken) return taken;
      Track track = joined(reader_, curves, moments);
      track.source = first.samples.source;
      clip_.tracks.push_back(std::move(track));
    }
    clip_.tracks.back().node = node;
    return {};
  }

  Reader& reader_;
  const std::vector<AmountChannel>& channels_;
  Clip& clip_;
};

}  // namespace

Checked<> join_amount_channels(Reader& reader, const std::vector<AmountChannel>& channels, Clip& clip) {
  return Joiner(reader, channels, clip).run();
}

}  // namespace sinew::gltf
