// SPDX-License-Identifier: MIT
#include "operations/fit/soles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/guard.hpp"
#include "model/place.hpp"
#include "operations/retarget/transfer.hpp"
#include "operations/skeletons/hierarchy.hpp"
#include "operations/weights/own_weights.hpp"

namespace sinew::operations::weights {

namespace {

constexpr std::size_t fewest_at_foot = 12;
constexpr double same_slope = 0.268;  ///< tan 15°
constexpr double thick = 0.08;        ///< how far above the plane a point still lies on the ground, relative to the height of the ankle

/// Returns by vertex of a surface the share of its weights on a foot of the body and what is below it.
std::vector<double> shares_of_foot(const Model& body, Index foot, const Model& figure, const RiggedSurface& surface,
                                   std::span<const Index> twin) {
  std::vector<bool> below;
  for (const Index joint : surface.joints) {
    const Index own = matched_at_or_above(figure, twin, joint);
    below.push_back(own != none && is_above(body, foot, twin[own]));
  }
  std::vector<double> out(surface.surface.vertices.size());
  for (std::size_t vertex = 0; vertex < out.size(); ++vertex)
    for (std::size_t i = surface.surface.first[vertex]; i < surface.surface.first[vertex + 1]; ++i)
      if (below[surface.surface.joint[i]]) out[vertex] += surface.surface.weight[i];
  return out;
}

/// Returns the sole of the vertices that mostly follow a foot; nothing if they do not show one. `shares`: of their weights on it.
std::optional<Sole> sole_of(const Vec& ankle, const RiggedSurface& surface, std::span<const double> shares) {
  std::vector<Vec> points;
  Vec middle{};
  for (std::size_t vertex = 0; vertex < shares.size(); ++vertex)
    if (shares[vertex] > 0.5) {
      points.push_back(surface.surface.vertices[vertex]);
      middle = middle + points.back();
    }
  if (points.size() < fewest_at_foot) return std::nullopt;
  middle = (1 / static_cast<double>(points.size())) * middle;
  Sole out{ankle, {middle[0] - ankle[0], middle[2] - ankle[2]}, 0, 0};
  const double length = std::hypot(out.ahead[0], out.ahead[1]);
  if (!(length > 0)) return std::nullopt;
  for (double& x : out.ahead) x /= length;
  const auto along = [&](const Vec& p) { return out.ahead[0] * (p[0] - ankle[0]) + out.ahead[1] * (p[2] - ankle[2]); };
  const auto [back, front] = std::ranges::minmax(points, {}, along);
  const double third = (along(front) - along(back)) / 3;
  Vec heel{}, ball{};
  heel[1] = ball[1] = std::numeric_limits<double>::infinity();
  for (const Vec& p : points) {
    if (along(p) <= along(back) + third && p[1] < heel[1]) heel = p;
    if (along(p) >= along(front) - third && p[1] < ball[1]) ball = p;
  }
  const double apart = along(ball) - along(heel);
  if (!(apart > 0)) return std::nullopt;
  out.slope = (ball[1] - heel[1]) / apart;
  out.height = heel[1] - out.slope * along(heel);
  if (out.height >= ankle[1]) return std::nullopt;
  return out;
}

}  // namespace

Result<Stance> Stance::create(const Model& body, const RiggedSurface& rigged, const Model& figure, std::span<const Index> figure_twin,
                              const Model& clothes, const RiggedSurface& surface, std::span<const Index> twin, unsigned threads) {
  Stance out;
  std::vector<Index> same(body.nodes.size());
  std::iota(same.begin(), same.end(), Index{0});
  const auto theirs = RiggedSurface::create(figure, threads);
  if (!theirs) return Unexpected(theirs.error());
  const std::vector<Affine> body_world = need(world_transforms(body, body.rest_pose)),
                            world = need(world_transforms(figure, figure.rest_pose));
  const auto place = [](const Affine& at) { return Vec{at.translation(0), at.translation(1), at.translation(2)}; };
  for (const auto& [foot, bone] : human_names(body)) {
    const auto own = std::ranges::find(figure_twin, foot);
    if ((bone != "leftFoot" && bone != "rightFoot") || own == figure_twin.end()) continue;
    const auto to = sole_of(place(body_world[foot]), rigged, shares_of_foot(body, foot, body, rigged, same));
    const auto from = sole_of(place(world[static_cast<std::size_t>(own - figure_twin.begin())]), *theirs,
                              shares_of_foot(body, foot, figure, *theirs, figure_twin));
    if (!from || !to || std::abs(from->slope - to->slope) >= same_slope) continue;
    Foot& added = out.feet_.emplace_back(*to, shares_of_foot(body, foot, clothes, surface, twin), std::vector<double>());
    const double scale = (to->ankle[1] - to->height) / (from->ankle[1] - from->height);
    const double ankle = to->ankle[1] - to->height;
    for (std::size_t vertex = 0; vertex < added.share.size(); ++vertex) {
      const Vec& at = surface.surface.vertices[vertex];
      added.above.push_back(scale * (at[1] - from->at(at)));
      added.share[vertex] *= std::clamp(2 * (1 - added.above.back() / ankle), 0.0, 1.0);
    }
  }
  return out;
}

Stance Stance::welded(std::span<const std::uint32_t> point_of, std::size_t points) const {
  Stance out;
  for (const Foot& own : feet_) {
    Foot& foot = out.feet_.emplace_back(own.sole, std::vector<double>(points), std::vector<double>(points));
    for (std::size_t vertex = 0; vertex < point_of.size(); ++vertex) {
      foot.share[point_of[vertex]] = own.share[vertex];
      foot.above[point_of[vertex]] = own.above[vertex];
    }
  }
  return out;
}

void Stance::put(std::span<Vec> points) const {
  for (const Foot& foot : feet_)
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i][1] += foot.share[i] * (foot.sole.at(points[i]) + foot.above[i] - points[i][1]);
}

void Stance::allow(std::span<const Vec> points, double otherwise, std::vector<double>& least) const {
  for (const Foot& foot : feet_)
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (foot.share[i] <= 0.5 || points[i][1] - foot.sole.at(points[i]) > thick * (foot.sole.ankle[1] - foot.sole.height)) continue;
      if (least.empty()) least.assign(points.size(), otherwise);
      least[i] = -1;
    }
}

void Stance::keep(std::span<const Vec> before, std::span<Vec> points) const {
  for (const Foot& foot : feet_)
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double lowest = std::min(before[i][1], foot.sole.at(points[i]));
      points[i][1] += foot.share[i] * std::max(0.0, lowest - points[i][1]);
    }
}

}  // namespace sinew::operations::weights
