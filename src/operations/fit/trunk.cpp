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

/// The way from the middle between the legs to the neck.
struct TrunkAxis {
  Vec from{}, way{};

  /// Returns how far on the way a place is: 0 at the legs, 1 at the neck.
  [[nodiscard]] double share(const Vec& place) const { return dot(place - from, way) / dot(way, way); }
};

}  // namespace

std::vector<Vec> cloth_places(std::span<const std::string> bones, std::span<const Vec> clothes, std::span<const Vec> body) {
  std::vector<Vec> out(body.begin(), body.end());
  const auto left = place_of_bone(bones, "leftUpperLeg"), right = place_of_bone(bones, "rightUpperLeg");
  auto top = place_of_bone(bones, "neck");
  if (!top) top = place_of_bone(bones, "head");
  if (!left || !right || !top) return out;
  const auto axis_of = [&](std::span<const Vec> places) {
    const Vec from = 0.5 * (places[*left] + places[*right]);
    return TrunkAxis{from, places[*top] - from};
  };
  const TrunkAxis ours = axis_of(clothes), theirs = axis_of(body);
  if (!(dot(ours.way, ours.way) > 0) || !(dot(theirs.way, theirs.way) > 0)) return out;
  std::vector<std::pair<double, Vec>> spine;  // shares, and places of the body's bones
  for (std::size_t bone = 0; bone < bones.size(); ++bone)
    if (bone == *top || std::ranges::find(trunk, bones[bone]) != std::end(trunk)) spine.emplace_back(theirs.share(body[bone]), body[bone]);
  std::ranges::sort(spine);
  for (std::size_t bone = 0; bone < bones.size(); ++bone) {
    if (std::ranges::find(trunk, bones[bone]) == std::end(trunk)) continue;
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

}  // namespace sinew::operations::weights
