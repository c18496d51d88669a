// SPDX-License-Identifier: MIT
#include "animate/clip_plan.hpp"

#include <algorithm>
#include <map>

#include "kernels/maps.hpp"
#include "model/same.hpp"

#include "sinew/geometry.hpp"

namespace sinew::animate {

namespace {

using kernels::JointKeys;

/// Same as find_moment (track.hpp), but starts at the key of the previous search.
Moment find_moment_near(const std::vector<double>& times, double seconds, std::size_t hint) {
  const auto holds = [&](std::size_t key) { return key < times.size() - 1 && times[key] <= seconds && seconds < times[key + 1]; };
  if (seconds > times.front() && seconds < times.back())
    for (const std::size_t key : {hint, hint + 1})
      if (holds(key)) return {key, (seconds - times[key]) / (times[key + 1] - times[key]), times[key + 1] - times[key]};
  return find_moment(times.size(), seconds, [&](std::size_t key) { return times[key]; });
}

void copy_row(const std::byte* row, bool rotation, std::array<double, 4>& out) {
  const auto* const numbers = reinterpret_cast<const float*>(row);
  for (std::size_t i = 0; i < 3; ++i) out[i] = static_cast<double>(numbers[i]);
  if (rotation) out[3] = static_cast<double>(numbers[3]);
}

}  // namespace

ClipPlan::ClipPlan(const Model& model, const Clip& clip, std::span<const Index> nodes, const kernels::SimdKernel& kernel)
    : model_(&model), kernel_(&kernel) {
  Pose rest = model.rest_pose;
  std::map<Index, std::size_t> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) places[nodes[i]] = i;
  std::map<std::pair<Index, TrackPath>, const Track*> last;  // as in `sample`: the last of several tracks for one property counts
  std::vector<const Track*> tracks;
  for (const Track& track : clip.tracks) {
    if (track.times.empty() || !places.contains(track.node)) continue;
    if (track.path != TrackPath::amounts && !track.keeps_basis) rest.locals[track.node].basis.clear();
    last[{track.node, track.path}] = &track;
    tracks.push_back(&track);
  }
  std::map<std::vector<double>, std::size_t> known;
  const Array* times = nullptr;  // most tracks of a clip share their times with the previous track
  std::size_t list = 0;
  for (const Track* track : tracks) {
    if (last[{track->node, track->path}] != track) continue;
    if (times == nullptr || !same(*times, track->times)) {
      times = &track->times;
      std::vector<double> seconds(times->size());
      times->read(0, seconds.size(), seconds.data());
      list = known.try_emplace(seconds, times_.size()).first->second;
      if (list == times_.size()) times_.push_back({std::move(seconds), {}, {}});
    }
    const std::size_t at = places[track->node];
    const auto part = static_cast<JointKeys::Part>(track->path);  // `parts`: amounts
    const Place place{at / JointKeys::joints, at % JointKeys::joints, part};
    const Array& values = track->values;
    if (track->keeps_basis) moved_.emplace_back(at, track->node);
    if (part == JointKeys::parts || track->keeps_basis || !values.holds<float>() || track->interpolation == Interpolation::cubic_spline ||
        values.width() != (part == JointKeys::rotation ? 4 : 3) || track->quaternions != (part == JointKeys::rotation))
      times_[list].others.push_back({track, place});
    else
      times_[list].ready.push_back(
          {place, track->interpolation == Interpolation::step, values.data(), values.stride(), track->times.size()});
  }
  start_.keys.assign(times_.size(), none);
  start_.joints.resize((nodes.size() + JointKeys::joints - 1) / JointKeys::joints);
  for (std::size_t i = 0; i < start_.joints.size() * JointKeys::joints; ++i) {
    const LocalTransform& local = i < nodes.size() ? rest.locals[nodes[i]] : LocalTransform{};
    if (!local.basis.empty()) kernels::store(affine_of(3, local), fixed_.emplace_back(i, std::array<double, 16>{}).second.data());
    for (const auto part : {JointKeys::translation, JointKeys::rotation, JointKeys::scale})
      hold(local, {i / JointKeys::joints, i % JointKeys::joints, part}, start_);
  }
}

/// Sets a part of a joint to that of the transform at all times.
void ClipPlan::hold(const LocalTransform& local, Place place, Cursor& cursor) {
  std::array<double, 4> now{};
  const auto take = [&](const auto& numbers, std::array<double, 4> neutral) {
    if (numbers.empty()) now = neutral;
    std::copy_n(numbers.data(), std::min<std::size_t>(numbers.size(), 4), now.data());
  };
  if (place.part == JointKeys::translation) take(local.translation, {});
  if (place.part == JointKeys::scale) take(local.scale, {1, 1, 1});
  if (place.part == JointKeys::rotation) {
    take(local.rotor, {1});
    now = quaternion_from_rotor(now);
  }
  JointKeys& keys = cursor.joints[place.group];
  keys.from[place.part][place.lane] = keys.to[place.part][place.lane] = now;
  keys.t[place.part][place.lane] = 0;
}

void ClipPlan::sample(double seconds, Cursor& cursor, Pose& pose, std::span<double> maps) const {
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const Moment at = find_moment_near(times_[i].seconds, seconds, cursor.keys[i]);
    for (const Ready& track : times_[i].ready)
      cursor.joints[track.place.group].t[track.place.part][track.place.lane] = track.steps ? 0 : at.t;
    if (at.key != cursor.keys[i])
      for (const auto& [place, steps, rows, stride, keys] : times_[i].ready) {
        const std::byte* from = rows + at.key * stride;
        JointKeys& joints = cursor.joints[place.group];
        copy_row(from, place.part == JointKeys::rotation, joints.from[place.part][place.lane]);
        copy_row(at.key + 1 < keys ? from + stride : from, place.part == JointKeys::rotation, joints.to[place.part][place.lane]);
      }
    cursor.keys[i] = at.key;
    for (const Other& other : times_[i].others) {
      write(*model_, *other.track, at, pose);
      if (other.place.part != JointKeys::parts) hold(pose.locals[other.track->node], other.place, cursor);
    }
  }
  constexpr std::size_t map = kernels::map_stride(3);
  for (std::size_t i = 0; i < cursor.joints.size(); ++i) kernel_->local_maps(cursor.joints[i], &maps[i * JointKeys::joints * map]);
  for (const auto& [place, numbers] : fixed_) std::ranges::copy(numbers, &maps[place * map]);
  for (const auto& [place, node] : moved_) kernels::store(affine_of(3, pose.locals[node]), &maps[place * map]);
}

}  // namespace sinew::animate
