// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/guard.hpp"
#include "operations/retarget/transfer.hpp"

#include "sinew/animate.hpp"

namespace sinew::operations {

namespace {

/// An expression that the motion moves, and its counterpart.
struct Face {
  const Track* track = nullptr;  ///< of the translation whose x is the amount
  Index source = none;           ///< the node
  Index expression = none;       ///< of the target
};

std::vector<Face> faces_of(const Model& motion, const Clip& clip, const Model& target, std::vector<std::string>& lost) {
  std::vector<Face> faces;
  for (const Expression& from : motion.avatar.expressions) {
    const auto track = std::ranges::find_if(
        clip.tracks, [&](const Track& each) { return each.node == from.amount && each.path == TrackPath::translation; });
    if (from.amount == none || track == clip.tracks.end() || track->times.empty()) continue;
    const std::vector<Expression>& known = target.avatar.expressions;
    const auto found =
        std::ranges::find_if(known, [&](const Expression& each) { return each.name == from.name && each.preset == from.preset; });
    if (found == known.end())
      lost.push_back(from.name);
    else
      faces.push_back({&*track, from.amount, static_cast<Index>(found - known.begin())});
  }
  return faces;
}

/// Whether the amounts of blend shapes are a sum of tracks: then they are exact between keys.
bool is_linear(const Model& target, const std::vector<Face>& faces) {
  return std::ranges::all_of(faces, [&](const Face& face) {
    const Expression& expression = target.avatar.expressions[face.expression];
    const bool alone =
        std::ranges::all_of(expression.overrides, [](Expression::Override what) { return what == Expression::Override::no; });
    return alone && !expression.binary && face.track->interpolation == Interpolation::linear;
  });
}

std::vector<float> face_times(const Model& target, const Clip& clip, const std::vector<Face>& faces) {
  constexpr double per_second = 60;  // where overrides, binary expressions and splines bend the amounts between keys
  std::set<float> times;
  for (const Face& face : faces)
    for (const float time : face.track->times.read<float>()) times.insert(time);
  if (is_linear(target, faces)) {
    // x is cut off at 0 and 1: a key where it passes them keeps the sum exact.
    for (const Face& face : faces) {
      const std::vector<float> keys = face.track->times.read<float>();
      const std::vector<double> values = face.track->values.read<double>();
      for (std::size_t i = 1; i < keys.size(); ++i)
        for (const double limit : {0.0, 1.0}) {
          const double a = values[3 * (i - 1)] - limit, b = values[3 * i] - limit;
          if (a * b < 0)
            times.insert(static_cast<float>(static_cast<double>(keys[i - 1]) + a / (a - b) * static_cast<double>(keys[i] - keys[i - 1])));
        }
    }
    return {times.begin(), times.end()};
  }
  const auto steps = static_cast<std::size_t>(std::ceil(std::min(clip.duration, 3600.0) * per_second));
  const float last = *times.rbegin(), first = *times.begin();
  for (std::size_t i = 0; i <= steps; ++i)
    if (const auto time = static_cast<float>(static_cast<double>(i) / per_second); time > first && time < last) times.insert(time);
  return {times.begin(), times.end()};
}

}  // namespace

std::vector<Track> transfer_expressions(const Model& motion, const Clip& clip, const Model& target, std::vector<std::string>& lost) {
  const std::vector<Face> faces = faces_of(motion, clip, target, lost);
  std::map<Index, std::set<Index>> moved;  // by node: the blend shapes
  for (const Face& face : faces)
    for (const ShapeBind& bind : target.avatar.expressions[face.expression].binds) moved[bind.node].insert(bind.shape);
  if (moved.empty()) return {};
  std::vector<float> times = face_times(target, clip, faces);
  std::map<Index, std::vector<double>> rows;
  for (const float time : times) {
    Pose pose = motion.rest_pose, face_pose = target.rest_pose;
    need(animate::sample(motion, clip, static_cast<double>(time), pose));
    std::vector<animate::ExpressionAmount> amounts;
    for (const Face& face : faces) {
      const auto& place = pose.locals[face.source].translation;
      amounts.push_back({face.expression, place.empty() ? 0 : std::clamp(place[0], 0.0, 1.0)});
    }
    need(animate::express(target, amounts, face_pose));
    for (const auto& [node, shapes] : moved) {
      std::vector<double> own = target.rest_pose.amounts[node];
      for (const Index shape : shapes) own[shape] = face_pose.amounts[node][shape];
      rows[node].insert(rows[node].end(), own.begin(), own.end());
    }
  }
  const Array keys = Array::own(std::move(times), 1);
  std::vector<Track> tracks;
  for (auto& [node, values] : rows) {
    Track& track = tracks.emplace_back();
    track.node = node;
    track.path = TrackPath::amounts;
    track.times = keys;
    track.values = Array::own(std::move(values), 1);
  }
  return tracks;
}

}  // namespace sinew::operations
