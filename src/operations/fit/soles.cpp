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

constexpr double gap = 0.001;  ///< relative to the diagonal: soles in one plane would show both
constexpr std::size_t fewest_at_foot = 12;
constexpr double same_slope = 0.268;  ///< tan 15°

/// Returns by vertex the share of its weights on a foot of the body and what is below it.
std::vector<double> shares_of_foot(const RestFigure& figure, const Model& body, Index foot) {
  std::vector<bool> below;
  for (const Index joint : figure.rigged.joints) {
    const Index own = matched_at_or_above(figure.model, figure.twin, joint);
    below.push_back(own != none && is_above(body, foot, figure.twin[own]));
  }
  const WeightedSurface& surface = figure.rigged.surface;
  std::vector<double> out(surface.vertices.size());
  for (std::size_t vertex = 0; vertex < out.size(); ++vertex)
    for (std::size_t i = surface.first[vertex]; i < surface.first[vertex + 1]; ++i)
      if (below[surface.joint[i]]) out[vertex] += surface.weight[i];
  return out;
}

/// Returns the sole of the vertices that mostly follow a foot of the body; nothing if they do not show one, or no node is the foot.
std::optional<Sole> sole_of(const RestFigure& figure, const Model& body, Index foot) {
  const auto own = std::ranges::find(figure.twin, foot);
  if (own == figure.twin.end()) return std::nullopt;
  const Affine world = need(world_transforms(figure.model, figure.model.rest_pose))[static_cast<std::size_t>(own - figure.twin.begin())];
  const Vec ankle{world.translation(0), world.translation(1), world.translation(2)};
  const std::vector<double> shares = shares_of_foot(figure, body, foot);
  std::vector<Vec> points;
  Vec middle{};
  for (std::size_t vertex = 0; vertex < shares.size(); ++vertex)
    if (shares[vertex] > 0.5) {
      points.push_back(figure.rigged.surface.vertices[vertex]);
      middle = middle + points.back();
    }
  if (points.size() < fewest_at_foot) return std::nullopt;
  middle = (1 / static_cast<double>(points.size())) * middle;
  Sole out{ankle, {middle[0] - ankle[0], middle[2] - ankle[2]}, 0, 0};
  const double length = std::sqrt(out.ahead[0] * out.ahead[0] + out.ahead[1] * out.ahead[1]);
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

Stance::Stance(const Model& body, const RiggedSurface& rigged, const RestFigure& figure, const RestFigure& clothes) {
  std::vector<Index> same(body.nodes.size());
  std::iota(same.begin(), same.end(), Index{0});
  const RestFigure whole{body, rigged, same};
  gap_ = gap * box_diagonal(rigged.surface.vertices);
  for (const auto& [foot, bone] : human_names(body)) {
    if (bone != "leftFoot" && bone != "rightFoot") continue;
    const auto to = sole_of(whole, body, foot), from = sole_of(figure, body, foot);
    if (!from || !to || std::abs(from->slope - to->slope) >= same_slope) continue;
    Foot& added = feet_.emplace_back(*to, shares_of_foot(clothes, body, foot), std::vector<double>());
    const double ankle = to->ankle[1] - to->height, scale = ankle / (from->ankle[1] - from->height);
    for (std::size_t vertex = 0; vertex < added.share.size(); ++vertex) {
      const Vec& at = clothes.rigged.surface.vertices[vertex];
      added.above.push_back(scale * (at[1] - from->at(at)));
      added.share[vertex] *= std::clamp(2 * (1 - added.above.back() / ankle), 0.0, 1.0);
    }
  }
}

Stance Stance::welded(std::span<const std::uint32_t> point_of, std::size_t points) const {
  Stance out;
  out.gap_ = gap_;
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
      points[i][1] += foot.share[i] * (foot.sole.at(points[i]) - gap_ + foot.above[i] - points[i][1]);
}

void Stance::keep(std::span<const Vec> before, std::span<Vec> points) const {
  for (const Foot& foot : feet_)
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double lowest = std::min(before[i][1], foot.sole.at(points[i]) - gap_);
      points[i][1] += foot.share[i] * std::max(0.0, lowest - points[i][1]);
    }
}

}  // namespace sinew::operations::weights
