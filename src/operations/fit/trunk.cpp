// SPDX-License-Identifier: MIT
#include "operations/fit/trunk.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace sinew::operations::weights {

namespace {

constexpr std::string_view trunk[] = {"hips", "spine", "chest", "upperChest"};

std::optional<std::size_t> place_of_bone(std::span<const std::string> bones, std::string_view name) {
  const auto found = std::ranges::find(bones, name);
  return found == bones.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - bones.begin()));
}

std::optional<std::size_t> place_of_neck(std::span<const std::string> bones) {
  const auto neck = place_of_bone(bones, "neck");
  return neck ? neck : place_of_bone(bones, "head");
}

/// The way from the middle between the legs to the neck.
struct TrunkAxis {
  Vec from{}, way{};

  /// Returns how far on the way a place is: 0 at the legs, 1 at the neck.
  [[nodiscard]] double share(const Vec& place) const { return dot(place - from, way) / dot(way, way); }
};

}  // namespace

bool is_of_trunk(std::string_view bone) { return std::ranges::find(trunk, bone) != std::end(trunk); }

std::vector<Vec> cloth_places(std::span<const std::string> bones, std::span<const Vec> clothes, std::span<const Vec> body) {
  std::vector<Vec> out(body.begin(), body.end());
  const auto left = place_of_bone(bones, "leftUpperLeg"), right = place_of_bone(bones, "rightUpperLeg");
  const auto top = place_of_neck(bones);
  if (!left || !right || !top) return out;
  const auto axis_of = [&](std::span<const Vec> places) {
    const Vec from = 0.5 * (places[*left] + places[*right]);
    return TrunkAxis{from, places[*top] - from};
  };
  const TrunkAxis ours = axis_of(clothes), theirs = axis_of(body);
  if (!(dot(ours.way, ours.way) > 0) || !(dot(theirs.way, theirs.way) > 0)) return out;
  std::vector<std::pair<double, Vec>> spine;  // shares, and places of the body's bones
  for (std::size_t bone = 0; bone < bones.size(); ++bone)
    if (bone == *top || is_of_trunk(bones[bone])) spine.emplace_back(theirs.share(body[bone]), body[bone]);
  std::ranges::sort(spine);
  for (std::size_t bone = 0; bone < bones.size(); ++bone) {
    if (!is_of_trunk(bones[bone])) continue;
    const double share = ours.share(clothes[bone]);
    const auto above = std::ranges::lower_bound(spine, share, {}, &std::pair<double, Vec>::first);
    const auto& [high, end] = above == spine.end() ? spine.back() : *above;
    const auto& [low, start] = above == spine.begin() ? spine.front() : *(above - 1);
    const double part = high > low ? std::clamp((share - low) / (high - low), 0.0, 1.0) : 0;
    const Vec on = start + part * (end - start);
    out[bone] = on + (share - theirs.share(on)) * theirs.way;  // before the first and after the last one: along the way
  }
  return out;
}

std::optional<FromShoulders> from_shoulders(std::span<const std::string> bones, std::span<const Vec> figure, std::span<const Vec> body) {
  const auto left = place_of_bone(bones, "leftUpperArm"), right = place_of_bone(bones, "rightUpperArm"), top = place_of_neck(bones);
  auto left_end = place_of_bone(bones, "leftFoot"), right_end = place_of_bone(bones, "rightFoot");
  if (!left_end || !right_end) {
    left_end = place_of_bone(bones, "leftUpperLeg");
    right_end = place_of_bone(bones, "rightUpperLeg");
  }
  if (!left || !right || !top || !left_end || !right_end) return std::nullopt;
  struct Frame {
    Vec from;
    double width, height;
  };
  const auto frame_of = [&](std::span<const Vec> places) {
    const Vec shoulders = 0.5 * (places[*left] + places[*right]), end = 0.5 * (places[*left_end] + places[*right_end]);
    return Frame{{shoulders[0], places[*top][1], shoulders[2]}, norm(places[*left] - places[*right]), places[*top][1] - end[1]};
  };
  const Frame ours = frame_of(figure), theirs = frame_of(body);
  if (!(ours.width > 0 && ours.height > 0 && theirs.width > 0 && theirs.height > 0)) return std::nullopt;
  const double across = theirs.width / ours.width;
  return FromShoulders{{ours.from, theirs.from, {across, theirs.height / ours.height, across}}, ours.height};
}

}  // namespace sinew::operations::weights
