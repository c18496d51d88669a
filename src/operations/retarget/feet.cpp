// SPDX-License-Identifier: MIT
#include "operations/retarget/feet.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/guard.hpp"
#include "math/length.hpp"

#include "sinew/animate.hpp"
#include "sinew/deform.hpp"

namespace sinew::operations {

namespace {

using Vector = std::vector<double>;

/// The way of a foot.
struct Way {
  std::vector<Vector> places;  ///< at each moment
  Vector up;

  [[nodiscard]] double height(std::size_t moment) const { return dot(places[moment], up); }
  /// Returns how far it goes along the ground until the next moment.
  [[nodiscard]] Vector along(std::size_t moment) const {
    Vector step = difference(places[moment + 1], places[moment]);
    const double rise = dot(step, up);
    for (std::size_t i = 0; i < step.size(); ++i) step[i] -= rise * up[i];
    return step;
  }
};

Way way_of(const RestSide& side, const Clip& clip, Index node, const std::vector<double>& times, const Vector& up) {
  Way way{{}, up};
  for (const double time : times) {
    Pose pose = side.model.rest_pose;
    need(animate::sample(side.model, clip, time, pose));
    Affine world(side.model.dimension);
    for (Index at = node; at != none; at = side.model.nodes[at].parent) world = affine_of(side.model.dimension, pose.locals[at]) * world;
    way.places.push_back(place_in(world));
  }
  return way;
}

/// 60 times per second, and at the end.
std::vector<double> moments_of(double duration, double per_second) {
  constexpr double longest = 600;  // seconds
  std::vector<double> times = need(animate::frame_times_at(std::min(duration, longest), per_second));
  if (times.back() < duration) times.push_back(duration);
  return times;
}

}  // namespace

void measure_feet(const Transfer& transfer, const Clip& from, const Clip& made, RetargetedClip& out) {
  const std::vector<BonePair> pairs = transfer.pairs();
  const Scale& scale = transfer.scale();
  if (transfer.target().model.dimension != 3 || !(scale.height_a > 0) || !(scale.height_b > 0)) return;
  const bool toes = find_bone(pairs, "leftToes") != nullptr && find_bone(pairs, "rightToes") != nullptr;
  const std::vector<double> times = moments_of(from.duration, 60);
  const Vector up_a = up_of(transfer.motion(), pairs), up_b = up_of(transfer.target(), pairs);
  double worst = 0, contact_of_both = 0;
  std::size_t feet = 0;
  for (const bool left : {true, false}) {
    const std::string name = std::string(left ? "left" : "right") + (toes ? "Toes" : "Foot");
    const BonePair* const pair = find_bone(pairs, name);
    if (pair == nullptr) continue;
    ++feet;
    const Way a = way_of(transfer.motion(), from, pair->motion, times, up_a),
              b = way_of(transfer.target(), made, pair->target, times, up_b);
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < times.size(); ++i) lowest = std::min(lowest, a.height(i));
    const double low = lowest + 0.05 * scale.height_a, slow = 0.25 * scale.height_a;
    double slid = 0, seconds = 0;
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
      const double step = times[i + 1] - times[i];
      const Vector of_a = a.along(i);
      if (!(a.height(i) < low && a.height(i + 1) < low && length_of(of_a) < slow * step)) continue;
      Vector slip = b.along(i);
      const Vector wanted = turned(transfer.facing(), of_a);
      for (std::size_t axis = 0; axis < slip.size(); ++axis) slip[axis] -= transfer.factor() * wanted[axis];
      slid += length_of(slip);
      seconds += step;
      if (length_of(slip) / step > worst) {
        worst = length_of(slip) / step;
        out.slide_seconds = times[i];
      }
    }
    contact_of_both += seconds;
    if (seconds > 0) (left ? out.slide.left : out.slide.right) = slid / scale.height_b / seconds;
  }
  if (feet > 0) out.slide.contact_seconds = contact_of_both / static_cast<double>(feet);
}

Result<> measure_depth(const Transfer& transfer, const Clip& made, unsigned threads, RetargetedClip& out) {
  const Model& model = transfer.target().model;
  const std::vector<BonePair> pairs = transfer.pairs();
  const Vector up = up_of(transfer.target(), pairs);
  auto deformer = deform::SceneDeformer::create(model, need(instances(model)), {});
  if (!deformer) return Unexpected(std::move(deformer.error()));
  const std::size_t n = model.dimension;
  std::vector<float> rows(deformer->vertices() * n);
  const auto lowest = [&](const Pose& pose) -> Result<double> {
    const strided_view<float> view(rows.data(), deformer->vertices(), n);
    if (auto done = deformer->run(pose, {view, {}, {}}, threads); !done) return Unexpected(std::move(done.error()));
    double low = std::numeric_limits<double>::infinity();
    for (std::size_t row = 0; row < deformer->vertices(); ++row) {
      double height = 0;
      for (std::size_t axis = 0; axis < n; ++axis) height += up[axis] * static_cast<double>(view[row][axis]);
      low = std::min(low, height);
    }
    return low;
  };
  if (deformer->vertices() == 0) return {};
  const auto rest = lowest(model.rest_pose);
  if (!rest) return Unexpected(rest.error());
  for (const double time : moments_of(made.duration, 30)) {
    Pose pose = model.rest_pose;
    need(animate::sample(model, made, time, pose));
    const auto now = lowest(pose);
    if (!now) return Unexpected(now.error());
    if (*rest - *now <= out.depth) continue;
    out.depth = *rest - *now;
    out.depth_seconds = time;
  }
  return {};
}

void draw_worst(const Transfer& transfer, const Clip& from, const Clip& made, RetargetedClip& out) {
  if (transfer.target().model.dimension != 3) return;
  constexpr double deep = 0.02;  // of the height of the hips
  out.shown_seconds = out.depth > deep * transfer.scale().height_b ? out.depth_seconds : out.slide_seconds;
  const auto lines = [&](const RestSide& side, const Clip& clip, const Affine& turn, std::size_t TransferredBone::* above) {
    Pose pose = side.model.rest_pose;
    need(animate::sample(side.model, clip, out.shown_seconds, pose));
    const std::vector<Affine> world = need(world_transforms(side.model, pose));
    std::vector<std::array<double, 6>> drawn;
    for (const TransferredBone& bone : transfer.bones()) {
      if (bone.*above == std::string::npos) continue;
      const Vector to = turned(turn, place_in(world[side.node(bone.pair)])),
                   start = turned(turn, place_in(world[side.node(transfer.bones()[bone.*above].pair)]));
      drawn.push_back({start[0], start[1], start[2], to[0], to[1], to[2]});
    }
    return drawn;
  };
  out.motion_lines = lines(transfer.motion(), from, transfer.facing(), &TransferredBone::above_a);
  out.target_lines = lines(transfer.target(), made, Affine(3), &TransferredBone::above_b);
}

}  // namespace sinew::operations
