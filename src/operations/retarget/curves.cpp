// SPDX-License-Identifier: MIT
#include "operations/retarget/curves.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "base/catalogue_edit.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "math/length.hpp"

#include "sinew/animate.hpp"
#include "sinew/geometry.hpp"

namespace sinew::operations {

namespace {

using Numbers = std::vector<double>;
constexpr double tolerance = 5e-5;  // radians; of places: times the height of the hips

Numbers row_of(const Array& array, std::size_t row) {
  Numbers numbers(array.width());
  array.read(row, 1, numbers.data());
  return numbers;
}

/// Returns a stored rotation, or tangent of rotations, as a rotor.
Numbers rotor_in(const Track& track, std::size_t row, std::size_t dimension) {
  const Numbers stored = row_of(track.values, row);
  Numbers rotor(rotor_size(dimension));
  if (track.quaternions)
    std::ranges::copy(rotor_from_quaternion(std::span<const double>(stored).first<4>()), rotor.begin());
  else
    expand_rotor(stored, rotor);
  return rotor;
}

std::size_t rows_per_key(const Track& track) { return track.interpolation == Interpolation::cubic_spline ? 3 : 1; }
/// Whether a row is a value and no tangent.
bool is_value(const Track& track, std::size_t row) { return rows_per_key(track) == 1 || row % 3 == 1; }

/// A curve that is sampled.
struct Sampled {
  std::vector<float> times;
  std::vector<Numbers> values;
};

/// How a curve is sampled: its value at a time, its value between two keys, and a distance.
struct Sampling {
  std::function<Numbers(double seconds)> value;
  std::function<Numbers(const Numbers& a, const Numbers& b, double t)> between;
  std::function<double(const Numbers& a, const Numbers& b)> apart;
  double tolerance;
};

/// Inserts keys between two until interpolation follows the curve.
void refine(const Sampling& how, float from, const Numbers& a, float to, const Numbers& b, int levels, Sampled& out) {
  constexpr int points = 4;
  const double length = static_cast<double>(to) - static_cast<double>(from);
  bool fits = true;
  for (int i = 1; i <= points && fits; ++i) {
    const double t = static_cast<double>(i) / (points + 1);
    fits = how.apart(how.between(a, b, t), how.value(static_cast<double>(from) + t * length)) <= how.tolerance;
  }
  const auto middle = static_cast<float>(static_cast<double>(from) + length / 2);
  if (fits || levels == 0 || !(middle > from && middle < to)) return;
  const Numbers value = how.value(static_cast<double>(middle));
  refine(how, from, a, middle, value, levels - 1, out);
  out.times.push_back(middle);
  out.values.push_back(value);
  refine(how, middle, value, to, b, levels - 1, out);
}

/// Returns all key times of tracks, ascending. Where some jump and others do not, the moment before each jump is among them.
std::vector<float> times_of(const std::vector<const Track*>& tracks, bool all_step) {
  std::vector<float> times;
  for (const Track* track : tracks)
    for (const float time : track->times.read<float>()) {
      times.push_back(time);
      const float before = std::nextafter(time, -1.0F);
      if (!all_step && track->interpolation == Interpolation::step && before > 0) times.push_back(before);
    }
  std::ranges::sort(times);
  const auto rest = std::ranges::unique(times);
  times.erase(rest.begin(), rest.end());
  return times;
}

Track track_of(Index node, TrackPath path, Interpolation interpolation, const Sampled& curve) {
  Track track;
  track.node = node;
  track.path = path;
  track.interpolation = interpolation;
  Numbers flat;
  for (const Numbers& value : curve.values) flat.insert(flat.end(), value.begin(), value.end());
  const std::size_t width = curve.values.front().size();
  track.times = Array::own(std::vector<float>(curve.times), 1);
  track.values = Array::own(std::move(flat), width);
  return track;
}

Track sampled(Index node, TrackPath path, const std::vector<const Track*>& from, const Sampling& how) {
  constexpr int most_levels = 8;
  const bool all_step = std::ranges::all_of(from, [](const Track* track) { return track->interpolation == Interpolation::step; });
  Sampled curve;
  for (const float time : times_of(from, all_step)) {
    const Numbers value = how.value(static_cast<double>(time));
    if (!all_step && !curve.times.empty()) {
      const float before = curve.times.back();
      const Numbers old = curve.values.back();
      refine(how, before, old, time, value, most_levels, curve);
    }
    curve.times.push_back(time);
    curve.values.push_back(value);
  }
  if (path == TrackPath::rotation)
    for (std::size_t i = 1; i < curve.values.size(); ++i)
      if (dot(curve.values[i - 1], curve.values[i]) < 0)
        for (double& x : curve.values[i]) x = -x;
  return track_of(node, path, all_step ? Interpolation::step : Interpolation::linear, curve);
}

Numbers moved(const Affine& map, const Numbers& vector, bool value) {
  Numbers out = turned(map, vector);
  if (value)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += map.translation(i);
  return out;
}

/// Applies an affine map to the places of a track; tangents only turn.
Track moved_track(const Track& from, Index node, const Affine& map) {
  Track out = from;
  out.node = node;
  out.source = SourceId::nowhere;
  Numbers flat;
  for (std::size_t row = 0; row < from.values.size(); ++row) {
    const Numbers now = moved(map, row_of(from.values, row), is_value(from, row));
    flat.insert(flat.end(), now.begin(), now.end());
  }
  out.values = Array::own(std::move(flat), from.values.width());
  return out;
}

}  // namespace

Curves::Curves(const Transfer& transfer, const Clip& clip, std::size_t hips, double factor)
    : transfer_(transfer),
      clip_(clip),
      hips_(hips),
      factor_(factor),
      n_(transfer.target().model.dimension),
      by_node_(transfer.motion().model.nodes.size()) {
  for (const Track& track : clip.tracks)
    if (track.path != TrackPath::amounts && track.node < by_node_.size() && !track.times.empty()) by_node_[track.node].push_back(&track);
}

void Curves::list_ignored(std::set<std::string>& scaled, std::set<std::string>& shifted) const {
  const RestSide& a = transfer_.motion();
  const double small = 1e-4 * (transfer_.scale().height_a > 0 ? transfer_.scale().height_a : 1);
  for (std::size_t i = 0; i < transfer_.bones().size(); ++i) {
    const BonePair& pair = transfer_.bones()[i].pair;
    const LocalTransform& rest = a.model.rest_pose.locals[pair.motion];
    for (const Track* track : by_node_[pair.motion]) {
      if (track->path == TrackPath::scale) {
        const Numbers values = track->values.read<double>();
        if (std::ranges::any_of(values, [](double x) { return std::abs(x - 1) > 1e-4; })) scaled.insert(a.model.nodes[pair.motion].name);
      }
      if (track->path != TrackPath::translation || i == hips_ || (pair.how == BonePair::How::map && pair.bone.empty())) continue;
      for (std::size_t row = 0; row < track->values.size(); ++row) {
        if (!is_value(*track, row)) continue;
        Numbers now = row_of(track->values, row);
        for (std::size_t axis = 0; axis < now.size() && axis < rest.translation.size(); ++axis) now[axis] -= rest.translation[axis];
        if (length_of(now) <= small) continue;
        shifted.insert(a.model.nodes[pair.motion].name);
        break;
      }
    }
  }
}

const Curves::Now& Curves::at(double seconds) {
  constexpr std::size_t most_known = 2000;
  if (const auto found = known_.find(seconds); found != known_.end()) return found->second;
  if (known_.size() >= most_known) known_.clear();
  const Model& model = transfer_.motion().model;
  Pose pose = model.rest_pose;
  need(animate::sample(model, clip_, seconds, pose));
  const std::vector<Affine> world = need(world_transforms(model, pose));
  Now now;
  for (const TransferredBone& bone : transfer_.bones()) now.world.push_back(world[bone.pair.motion]);
  now.turns.resize(now.world.size());
  return known_.emplace(seconds, std::move(now)).first->second;
}

const Affine& Curves::turn(std::size_t index, const Now& now) const {
  std::optional<Affine>& known = now.turns[index];
  if (known) return *known;
  const TransferredBone& bone = transfer_.bones()[index];
  const Affine& facing = transfer_.facing();
  const auto own = turn_of(now.world[index]);
  return known.emplace(own ? facing * own->rotation * turned_back(bone.a) * turned_back(facing) * bone.b : bone.b);
}

Affine Curves::local_turn(std::size_t index, const Now& now) const {
  const TransferredBone& bone = transfer_.bones()[index];
  if (bone.above_b == npos) return turned_back(bone.b_parent) * turn(index, now);
  // The nodes between stay as they are at rest.
  const Affine parent = turn(bone.above_b, now) * turned_back(transfer_.bones()[bone.above_b].b) * bone.b_parent;
  return turned_back(parent) * turn(index, now);
}

Affine Curves::parent_world(std::size_t index, const Now& now) const {
  const RestSide& b = transfer_.target();
  const TransferredBone& bone = transfer_.bones()[index];
  const Index parent = b.model.nodes[bone.pair.target].parent;
  if (parent == none) return Affine(n_);
  if (bone.above_b == npos) return b.world[parent];
  const TransferredBone& up = transfer_.bones()[bone.above_b];
  LocalTransform local = b.model.rest_pose.locals[up.pair.target];
  local.basis.clear();
  local.rotor.assign(rotor_of(local_turn(bone.above_b, now)));
  const Affine world = parent_world(bone.above_b, now) * affine_of(n_, local);
  const auto back = inverse(b.world[up.pair.target]);
  return back ? world * *back * b.world[parent] : world;
}

std::vector<double> Curves::hips_place(const Now& now) const {
  const BonePair& pair = transfer_.bones()[hips_].pair;
  Numbers way = place_in(now.world[hips_]);
  const Numbers rest_a = transfer_.motion().place(pair.motion), rest_b = transfer_.target().place(pair.target);
  for (std::size_t i = 0; i < n_; ++i) way[i] = factor_ * (way[i] - rest_a[i]);
  way = turned(transfer_.facing(), way);
  for (std::size_t i = 0; i < n_; ++i) way[i] += rest_b[i];
  const auto back = inverse(parent_world(hips_, now));
  return back ? moved(*back, way, true) : way;
}

/// Adds the tracks that turn a node or a node above it; with `places` also those that move it.
void Curves::add_chain(Index node, bool places, Contributions& to) const {
  const Index first = node;
  for (; node != none; node = transfer_.motion().model.nodes[node].parent)
    for (const Track* track : by_node_[node]) {
      const bool turns = track->path != TrackPath::translation;
      const bool own_turn = node == first && turns;
      if (places ? !own_turn : turns) to.tracks.push_back(track);
    }
}

bool Curves::is_direct(std::size_t index) const {
  const TransferredBone& bone = transfer_.bones()[index];
  const Model& model = transfer_.motion().model;
  if (bone.above_a != bone.above_b || !model.avatar.constraints.empty()) return false;
  const Index stop = bone.above_a == npos ? none : transfer_.bones()[bone.above_a].pair.motion;
  const auto turns = [](const Track* track) { return track->path != TrackPath::translation; };
  for (Index up = model.nodes[bone.pair.motion].parent; up != none && up != stop; up = model.nodes[up].parent)
    if (std::ranges::any_of(by_node_[up], turns)) return false;
  return n_ <= 3 || std::ranges::none_of(by_node_[bone.pair.motion],
                                         [](const Track* track) { return track->interpolation == Interpolation::cubic_spline; });
}

Track Curves::direct_rotation(std::size_t index, const Track& from) const {
  const TransferredBone& bone = transfer_.bones()[index];
  const Affine& facing = transfer_.facing();
  const Numbers last = rotor_of(turned_back(bone.b_parent) * facing * bone.a_parent),
                first = rotor_of(turned_back(bone.a) * turned_back(facing) * bone.b);
  Track out = from;
  out.node = bone.pair.target;
  out.source = SourceId::nowhere;
  out.quaternions = out.keeps_basis = false;
  Numbers flat, before(rotor_size(n_));
  for (std::size_t row = 0; row < from.values.size(); ++row) {
    const Numbers rotor = rotor_in(from, row, n_);
    Numbers half(rotor.size()), now(rotor.size());
    need(compose(n_, first, rotor, half));
    need(compose(n_, half, last, now));
    if (rows_per_key(from) == 1) {
      if (dot(before, now) < 0)
        for (double& x : now) x = -x;
      before = now;
    }
    flat.insert(flat.end(), now.begin(), now.end());
  }
  out.values = Array::own(std::move(flat), rotor_size(n_));
  return out;
}

void Curves::add_rotation(std::size_t index, std::vector<Track>& out) {
  const TransferredBone& bone = transfer_.bones()[index];
  const auto rest = [&] {
    if (bone.aligned)
      out.push_back(
          track_of(bone.pair.target, TrackPath::rotation, Interpolation::step, {{0}, {rotor_of(turned_back(bone.b_parent) * bone.b)}}));
  };
  if (is_direct(index)) {
    const auto& own = by_node_[bone.pair.motion];
    const auto found = std::ranges::find(own, TrackPath::rotation, &Track::path);
    return found == own.end() ? rest() : out.push_back(direct_rotation(index, **found));
  }
  Contributions from;
  add_chain(bone.pair.motion, false, from);
  if (bone.above_b != npos) add_chain(transfer_.bones()[bone.above_b].pair.motion, false, from);
  if (from.tracks.empty()) return rest();
  const Sampling how{[&](double seconds) { return rotor_of(local_turn(index, at(seconds))); },
                     [&](const Numbers& a, const Numbers& b, double t) {
                       Numbers between(a.size());
                       need(slerp(n_, a, b, t, between));
                       return between;
                     },
                     [](const Numbers& a, const Numbers& b) { return 2 * std::acos(std::min(1.0, std::abs(dot(a, b)))); }, tolerance};
  out.push_back(sampled(bone.pair.target, TrackPath::rotation, from.tracks, how));
}

/// Returns whether a bone above the hips moves by the file of pairs: then it moves the hips.
bool Curves::root_moves() const {
  const Model& model = transfer_.motion().model;
  for (std::size_t up = transfer_.bones()[hips_].above_a; up != npos; up = transfer_.bones()[up].above_a) {
    const BonePair& pair = transfer_.bones()[up].pair;
    if (pair.how == BonePair::How::map && pair.bone.empty() && pair.motion < model.nodes.size() &&
        std::ranges::find(by_node_[pair.motion], TrackPath::translation, &Track::path) != by_node_[pair.motion].end())
      return true;
  }
  return false;
}

void Curves::add_hips(std::vector<Track>& out) {
  if (hips_ == npos || root_moves()) return;
  const TransferredBone& bone = transfer_.bones()[hips_];
  const RestSide &a = transfer_.motion(), &b = transfer_.target();
  Contributions from;
  if (factor_ != 0) add_chain(bone.pair.motion, true, from);
  const bool own_only = std::ranges::all_of(from.tracks, [&](const Track* track) { return track->node == bone.pair.motion; });
  if (bone.above_b != npos) add_chain(transfer_.bones()[bone.above_b].pair.motion, false, from);
  if (from.tracks.empty()) return;
  if (own_only && bone.above_b == npos && from.tracks.size() == 1) {
    const Index parent_a = a.model.nodes[bone.pair.motion].parent, parent_b = b.model.nodes[bone.pair.target].parent;
    const Numbers rest_a = a.place(bone.pair.motion), rest_b = b.place(bone.pair.target);
    Affine place = transfer_.facing();
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) place(i, j) *= factor_;
    const Numbers shift = turned(place, rest_a);
    for (std::size_t i = 0; i < n_; ++i) place.translation(i) = rest_b[i] - shift[i];
    const auto back = parent_b == none ? std::optional(Affine(n_)) : inverse(b.world[parent_b]);
    if (!back) return;
    out.push_back(moved_track(*from.tracks.front(), bone.pair.target, *back * place * (parent_a == none ? Affine(n_) : a.world[parent_a])));
    return;
  }
  const double height = transfer_.scale().height_b;
  const Sampling how{[&](double seconds) { return hips_place(at(seconds)); },
                     [](const Numbers& from_value, const Numbers& to_value, double t) {
                       Numbers between(from_value);
                       for (std::size_t i = 0; i < between.size(); ++i) between[i] += t * (to_value[i] - from_value[i]);
                       return between;
                     },
                     [](const Numbers& one, const Numbers& other) { return length_of(difference(one, other)); },
                     tolerance * (height > 0 ? height : 1)};
  out.push_back(sampled(bone.pair.target, TrackPath::translation, from.tracks, how));
}

/// A bone of the file of pairs, without a humanoid's name, moves as its counterpart does in the space of its parent at rest.
void Curves::add_moved(std::size_t index, const Track& from, std::vector<Track>& out) const {
  const RestSide &a = transfer_.motion(), &b = transfer_.target();
  const BonePair& pair = transfer_.bones()[index].pair;
  const Index parent_a = a.model.nodes[pair.motion].parent, parent_b = b.model.nodes[pair.target].parent;
  const auto back = parent_b == none ? std::optional(Affine(n_)) : inverse(b.world[parent_b]);
  if (!back || factor_ == 0) return;
  const Affine whole = *back * transfer_.facing() * (parent_a == none ? Affine(n_) : a.world[parent_a]);
  Affine map(n_);
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = 0; j < n_; ++j) map(i, j) = factor_ * whole(i, j);
  const auto stored = [&](const Model& model, Index node) {
    const auto& translation = model.rest_pose.locals[node].translation;
    return translation.empty() ? Numbers(n_) : Numbers(translation.begin(), translation.end());
  };
  const Numbers rest_b = stored(b.model, pair.target), shift = turned(map, stored(a.model, pair.motion));
  for (std::size_t i = 0; i < n_; ++i) map.translation(i) = rest_b[i] - shift[i];
  out.push_back(moved_track(from, pair.target, map));
}

std::vector<Track> Curves::tracks() {
  std::vector<Track> out;
  for (std::size_t i = 0; i < transfer_.bones().size(); ++i) {
    if (!transfer_.bones()[i].stiff) add_rotation(i, out);
    if (i == hips_) {
      add_hips(out);
      continue;
    }
    const BonePair& pair = transfer_.bones()[i].pair;
    if (pair.how != BonePair::How::map || !pair.bone.empty()) continue;
    for (const Track* track : by_node_[pair.motion])
      if (track->path == TrackPath::translation) add_moved(i, *track, out);
  }
  return out;
}

void keep_duration(std::vector<Track>& tracks, double duration) {
  double last = 0;
  for (const Track& track : tracks) {
    double end = 0;
    track.times.read(track.times.size() - 1, 1, &end);
    last = std::max(last, end);
  }
  const auto end = static_cast<float>(duration);
  if (!(static_cast<double>(end) > last)) return;
  Track& track = tracks.front();
  const std::size_t width = track.values.width(), keys = track.times.size(), parts = rows_per_key(track),
                    rows = track.values.size() / keys / parts;  // of one value: blend shapes have several
  std::vector<float> times = track.times.read<float>();
  times.push_back(end);
  Numbers values = track.values.read<double>();
  const std::size_t size = rows * width;
  const Numbers value(values.end() - static_cast<std::ptrdiff_t>((parts == 3 ? 2 : 1) * size),
                      values.end() - static_cast<std::ptrdiff_t>((parts == 3 ? 1 : 0) * size));
  if (parts == 3) {
    std::fill(values.end() - static_cast<std::ptrdiff_t>(size), values.end(), 0.0);  // no motion after the old end
    values.insert(values.end(), size, 0.0);
  }
  values.insert(values.end(), value.begin(), value.end());
  if (parts == 3) values.insert(values.end(), size, 0.0);
  track.times = Array::own(std::move(times), 1);
  track.values = Array::own(std::move(values), width);
}

}  // namespace sinew::operations
