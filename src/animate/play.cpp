// SPDX-License-Identifier: MIT
#include "sinew/play.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

#include "animate/track.hpp"
#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "model/name_index.hpp"
#include "model/same.hpp"

#include "sinew/animate.hpp"

namespace sinew {

Result<Index> find_clip(std::string_view wanted, const Model& model) SINEW_TRY {
  return find_by_name(wanted, named_things(model.clips), model.clips.size(), "animation");
}
SINEW_CATCH()

namespace animate {

namespace {

std::size_t size_of(const Model& model, Index node, TrackPath path) {
  if (path == TrackPath::rotation) return rotor_size(model.dimension);
  if (path != TrackPath::amounts) return model.dimension;
  const Index mesh = model.nodes[node].mesh;
  return mesh == none ? 0 : model.meshes[mesh].shapes.size();
}

/// Copies a property; what is not stored has its neutral value.
void read_property(const Pose& pose, Index node, TrackPath path, std::span<double> out) {
  const LocalTransform& local = pose.locals[node];
  const auto copy = [&](std::span<const double> stored, double first, double others) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = i < stored.size() ? stored[i] : stored.empty() ? (i == 0 ? first : others) : 0;
  };
  if (path == TrackPath::translation) copy(local.translation, 0, 0);
  if (path == TrackPath::scale) copy(local.scale, 1, 1);
  if (path == TrackPath::rotation) copy(local.rotor, 1, 0);
  if (path == TrackPath::amounts) copy(pose.amounts[node], 0, 0);
}

void write_property(std::span<const double> numbers, Index node, TrackPath path, Pose& pose) {
  LocalTransform& local = pose.locals[node];
  if (path == TrackPath::translation) local.translation.assign(numbers);
  if (path == TrackPath::scale) local.scale.assign(numbers);
  if (path == TrackPath::rotation) local.rotor.assign(numbers);
  if (path == TrackPath::amounts) std::ranges::copy(numbers, pose.amounts[node].begin());
}

double wrapped(const PlayedClip& played, double duration, double seconds) {
  if (duration <= 0) return 0;
  if (!played.loops) return std::clamp(seconds, 0.0, duration);
  const double rest = std::fmod(seconds, duration);
  return rest < 0 ? rest + duration : rest;
}

Unexpected misuse(std::string_view what) { return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, what)); }

}  // namespace

struct Player::State {
  /// A property of a node that a clip animates, and the blend of the clips.
  struct PlayedProperty {
    Index node = none;
    TrackPath path = TrackPath::translation;
    std::size_t first = 0, count = 0;  ///< in the list of sums
    double weight = 0;                 ///< so far
    std::size_t clips = 0;             ///< so far, with a weight
  };

  struct PlayedTrack {
    const Track* track = nullptr;
    std::size_t property = 0;
    std::size_t times = 0;  ///< of the clip's lists of times
    std::size_t start = 0;  ///< of an additive clip: its state at 0 seconds, in Player::State::starts
  };

  /// A clip with what it needs for a frame.
  struct PreparedClip {
    const Clip* clip = nullptr;
    std::vector<PlayedTrack> tracks;
    std::vector<const Array*> times;  ///< without duplicates
    std::vector<Moment> moments;      ///< at the current time
    const Track* root = nullptr;      ///< that moves the root
  };

  State(const Model& of, std::vector<PlayedClip> list, Index root_node)
      : model(&of), played(std::move(list)), root(root_node), pose(of.rest()), sampled(pose), motion(of.dimension), place(of.dimension) {
    std::map<std::pair<Index, TrackPath>, std::size_t> known;
    for (const PlayedClip& one : played) prepare(one, known);
    const auto largest = std::ranges::max_element(properties, {}, &PlayedProperty::count);
    const std::size_t room = largest == properties.end() ? 0 : largest->count;
    for (std::vector<double>* const list_of : {&now, &other, &rest, &tangent}) list_of->resize(room);
    for (const PreparedClip& one : prepared) keep_start(one);
    for (LocalTransform& local : sampled.locals) local.basis.clear();
  }

  void prepare(const PlayedClip& one, std::map<std::pair<Index, TrackPath>, std::size_t>& known) {
    PreparedClip& made = prepared.emplace_back();
    made.clip = &model->clips[one.clip];
    for (const Track& track : made.clip->tracks) {
      if (track.node >= model->nodes.size() || track.times.empty()) continue;
      const std::size_t count = size_of(*model, track.node, track.path);
      if (count == 0) continue;
      const auto [at, is_new] = known.try_emplace({track.node, track.path}, properties.size());
      if (is_new) {
        properties.push_back({track.node, track.path, sums.size(), count});
        sums.resize(sums.size() + count);
      }
      const auto same_times = std::ranges::find_if(made.times, [&](const Array* times) { return same(*times, track.times); });
      made.tracks.push_back({&track, at->second, static_cast<std::size_t>(same_times - made.times.begin()), starts.size()});
      if (same_times == made.times.end()) made.times.push_back(&track.times);
      if (one.additive) starts.resize(starts.size() + count);
      if (track.node == root && track.path == TrackPath::translation) made.root = &track;
    }
    made.moments.resize(made.times.size());
  }

  void keep_start(const PreparedClip& one) {
    if (!played[static_cast<std::size_t>(&one - prepared.data())].additive) return;
    for (const PlayedTrack& track : one.tracks) {
      const PlayedProperty& property = properties[track.property];
      sample(*track.track, moment_of(track.track->times, 0), std::span(starts).subspan(track.start, property.count));
    }
  }

  void sample(const Track& track, const Moment& at, std::span<double> out) {
    if (track.path == TrackPath::amounts) return sample_amounts(track, at, out);
    write(*model, track, at, sampled);
    read_property(sampled, track.node, track.path, out);
  }

  /// A face has more amounts than `write` can read without memory.
  void sample_amounts(const Track& track, const Moment& at, std::span<double> out) {
    const bool spline = track.interpolation == Interpolation::cubic_spline;
    const std::size_t parts = spline ? 3 : 1, shapes = out.size();
    const auto read = [&](std::size_t key, std::size_t part, std::span<double> to) {
      track.values.read((key * parts + (spline ? part : 0)) * shapes, shapes, to.data());
      return to;
    };
    read(at.key, Keys::value, out);
    if (at.t == 0 || track.interpolation == Interpolation::step) return;
    const std::span<double> to = read(at.key + 1, Keys::value, std::span(other).first(shapes));
    if (!spline) return mix(out, to, at.t);
    follow_spline(out, read(at.key, Keys::out_tangent, std::span(rest).first(shapes)),
                  read(at.key + 1, Keys::in_tangent, std::span(tangent).first(shapes)), to, at.t, at.seconds);
  }

  [[nodiscard]] double weight_of(std::size_t clip, Index node) const {
    const PlayedClip& one = played[clip];
    return one.mask.empty() ? one.weight : one.weight * static_cast<double>(one.mask[node]);
  }

  void advance(double seconds) {
    std::ranges::fill(motion, 0.0);
    double weights = 0;
    for (std::size_t i = 0; i < played.size(); ++i) weights += move(i, seconds);
    if (weights > 1)
      for (double& x : motion) x /= weights;
    for (std::size_t i = 0; i < played.size(); ++i)
      if (played[i].additive) move_root(i, seconds, weight_at_root(i));
    for (std::size_t i = 0; i < played.size(); ++i) find_moments(i);
    compute();
  }

  [[nodiscard]] double weight_at_root(std::size_t clip) const {
    return root == none || prepared[clip].root == nullptr ? 0 : weight_of(clip, root);
  }

  /// Moves the root with the clips that share it. Returns the weight.
  double move(std::size_t clip, double seconds) {
    if (played[clip].additive) return 0;
    const double weight = weight_at_root(clip);
    move_root(clip, seconds, weight);
    return weight;
  }

  /// Adds the movement of the root while a clip goes on, and goes on.
  void move_root(std::size_t clip, double seconds, double weight) {
    PlayedClip& one = played[clip];
    const double duration = prepared[clip].clip->duration, step = seconds * one.speed, from = one.seconds, to = from + step;
    one.seconds = wrapped(one, duration, to);
    if (weight == 0 || step == 0) return;
    add_place(clip, one.seconds, weight);
    add_place(clip, from, -weight);
    if (!one.loops || duration <= 0) return;
    const double rounds = std::round((to - one.seconds) / duration);
    if (rounds == 0) return;
    add_place(clip, duration, weight * rounds);
    add_place(clip, 0, -weight * rounds);
  }

  void add_place(std::size_t clip, double seconds, double weight) {
    const Track& track = *prepared[clip].root;
    sample(track, moment_of(track.times, seconds), place);
    for (std::size_t i = 0; i < motion.size(); ++i) motion[i] += weight * place[i];
  }

  void find_moments(std::size_t clip) {
    PreparedClip& one = prepared[clip];
    if (played[clip].weight == 0) return;
    for (std::size_t i = 0; i < one.times.size(); ++i) one.moments[i] = moment_of(*one.times[i], played[clip].seconds);
  }

  void compute() {
    for (PlayedProperty& property : properties) property.weight = 0, property.clips = 0;
    std::ranges::fill(sums, 0.0);
    for (std::size_t i = 0; i < played.size(); ++i)
      if (!played[i].additive)
        each_track(i, [&](const PlayedTrack& track, double weight) {
          PlayedProperty& property = properties[track.property];
          blend(property, std::span(now).first(property.count), weight);
        });
    for (const PlayedProperty& property : properties) finish(property);
    for (std::size_t i = 0; i < played.size(); ++i)
      if (played[i].additive) each_track(i, [&](const PlayedTrack& track, double weight) { add(track, weight); });
    if (root != none) pose.locals[root].translation = model->rest_pose.locals[root].translation;
    need(constrain(*model, pose));
  }

  /// Calls `take` for each track of a clip that has a weight, with its values in `now`.
  template <class Take>
  void each_track(std::size_t clip, const Take& take) {
    if (played[clip].weight == 0) return;
    for (const PlayedTrack& track : prepared[clip].tracks) {
      const PlayedProperty& property = properties[track.property];
      const double weight = weight_of(clip, property.node);
      if (weight == 0) continue;
      sample(*track.track, prepared[clip].moments[track.times], std::span(now).first(property.count));
      if (!track.track->keeps_basis && property.path != TrackPath::amounts) pose.locals[property.node].basis.clear();
      take(track, weight);
    }
  }

  /// Adds a value. The first one is kept as it is, so that a clip alone stays exact.
  void blend(PlayedProperty& property, std::span<const double> value, double weight) {
    const std::span<double> sum = std::span(sums).subspan(property.first, property.count);
    const bool rotation = property.path == TrackPath::rotation;
    const double before = std::exchange(property.weight, property.weight + weight);
    if (++property.clips == 1) {
      std::ranges::copy(value, sum.begin());
      return;
    }
    if (rotation && model->dimension > 3) {
      const std::span<double> between = std::span(other).first(property.count);
      need(slerp(model->dimension, sum, value, weight / property.weight, between));
      std::ranges::copy(between, sum.begin());
      return;
    }
    if (property.clips == 2)
      for (double& x : sum) x *= before;
    double along = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) along += sum[i] * value[i];
    const double signed_weight = rotation && along < 0 ? -weight : weight;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += signed_weight * value[i];
  }

  void finish(const PlayedProperty& before) {
    PlayedProperty property = before;
    const std::span<double> sum = std::span(sums).subspan(property.first, property.count), stored = std::span(rest).first(property.count);
    const bool rotation = property.path == TrackPath::rotation;
    read_property(model->rest_pose, property.node, property.path, stored);
    if (property.clips == 0) return write_property(stored, property.node, property.path, pose);
    const bool sums_up = !rotation || model->dimension <= 3, alone = property.clips == 1 && property.weight >= 1;
    if (property.weight < 1) {
      blend(property, stored, 1 - property.weight);
    } else if (sums_up && !alone) {
      for (double& x : sum) x /= property.weight;
    }
    if (rotation && !alone && !normalize_rotor(sum)) std::ranges::copy(stored, sum.begin());  // opposite rotations cancel out
    write_property(sum, property.node, property.path, pose);
  }

  /// Adds the difference of an additive clip from its start.
  void add(const PlayedTrack& track, double weight) {
    const PlayedProperty& property = properties[track.property];
    const std::span<const double> start = std::span(starts).subspan(track.start, property.count);
    const std::span<double> value = std::span(now).first(property.count), base = std::span(other).first(property.count),
                            turn = std::span(rest).first(property.count);
    read_property(pose, property.node, property.path, base);
    if (property.path == TrackPath::rotation) {
      const std::size_t n = model->dimension;
      reverse_rotor(n, start, turn);
      need(compose(n, value, turn, turn_));  // from the start to now
      std::ranges::fill(turn, 0.0);
      turn[0] = 1;
      need(slerp(n, turn, turn_, std::min(weight, 1.0), value));
      need(compose(n, value, base, turn_));
      return write_property(turn_, property.node, property.path, pose);
    }
    for (std::size_t i = 0; i < base.size(); ++i) {
      if (property.path == TrackPath::scale)
        base[i] *= start[i] == 0 ? 1 : 1 + weight * (value[i] / start[i] - 1);
      else
        base[i] += weight * (value[i] - start[i]);
    }
    write_property(base, property.node, property.path, pose);
  }

  const Model* model;
  std::vector<PlayedClip> played;
  std::vector<PreparedClip> prepared;
  std::vector<PlayedProperty> properties;
  Index root;
  Pose pose, sampled;
  std::vector<double> sums, starts;
  std::vector<double> now, other, rest, tangent;  ///< of one property
  std::vector<double> motion, place;
  std::vector<double> turn_ = std::vector<double>(rotor_size(model->dimension));
};

Player::Player(std::unique_ptr<State> state) : state_(std::move(state)) {}
Player::Player(Player&&) noexcept = default;
Player& Player::operator=(Player&&) noexcept = default;
Player::~Player() = default;

Result<Player> Player::create(const Model& model, std::vector<PlayedClip> clips, Index root) SINEW_TRY {
  if (root != none && root >= model.nodes.size()) return misuse(format_text("there is no node {}", root));
  for (const PlayedClip& one : clips) {
    if (one.clip >= model.clips.size()) return misuse(format_text("there is no animation {}", one.clip));
    if (auto broken = closure_defect(model, none, one.clip)) return Unexpected(*std::move(broken));
    if (!(one.weight >= 0) || !std::isfinite(one.weight))
      return misuse(format_text("the weight {} is not a finite number of at least 0", one.weight));
    if (!std::isfinite(one.speed) || !std::isfinite(one.seconds)) return misuse("the speed and the time of a clip must be finite");
    if (!one.mask.empty() && one.mask.size() != model.nodes.size())
      return misuse(format_text("the mask has {} numbers; the model has {} nodes", one.mask.size(), model.nodes.size()));
    if (!std::ranges::all_of(one.mask, [](float part) { return part >= 0 && part <= 1; }))
      return misuse("a number of a mask is not from 0 to 1");
  }
  auto state = std::make_unique<State>(model, std::move(clips), root);
  for (PlayedClip& one : state->played) one.seconds = wrapped(one, model.clips[one.clip].duration, one.seconds);
  state->advance(0);
  return Player(std::move(state));
}
SINEW_CATCH()

std::span<const PlayedClip> Player::clips() const noexcept { return state_->played; }

void Player::set_weight(std::size_t clip, double weight) noexcept {
  assert(weight >= 0 && std::isfinite(weight));
  state_->played[clip].weight = weight;
}

void Player::set_speed(std::size_t clip, double speed) noexcept {
  assert(std::isfinite(speed));
  state_->played[clip].speed = speed;
}

void Player::seek(std::size_t clip, double seconds) noexcept {
  assert(std::isfinite(seconds));
  state_->played[clip].seconds = wrapped(state_->played[clip], state_->prepared[clip].clip->duration, seconds);
}

Result<> Player::advance(double seconds) SINEW_TRY {
  assert(std::isfinite(seconds));
  state_->advance(seconds);
  return {};
}
SINEW_CATCH()

const Pose& Player::pose() const noexcept { return state_->pose; }

Result<Affine> Player::world(Index node) const SINEW_TRY {
  const Model& model = *state_->model;
  Affine made = affine_of(model.dimension, state_->pose.locals[node]);
  for (Index above = model.nodes[node].parent; above != none; above = model.nodes[above].parent)
    made = affine_of(model.dimension, state_->pose.locals[above]) * made;
  return made;
}
SINEW_CATCH()

Result<Affine> Player::world(std::string_view node) const SINEW_TRY {
  const auto found = find_node(node, *state_->model);
  return found ? Result<Affine>(world(*found)) : Unexpected(found.error());
}
SINEW_CATCH()

std::span<const double> Player::root_motion() const noexcept { return state_->motion; }

}  // namespace animate
}  // namespace sinew
