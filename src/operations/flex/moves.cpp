// SPDX-License-Identifier: MIT
#include "operations/flex/moves.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/guard.hpp"
#include "model/place.hpp"
#include "operations/flex/checks.hpp"

#include "sinew/geometry.hpp"

namespace sinew::operations::bend {

namespace {

bool nearly_same(const Affine& a, const Affine& b) {
  constexpr double rounding = 1e-7;  // of the float32 numbers of inverse bind matrices
  for (std::size_t i = 0; i < a.values().size(); ++i)
    if (!(std::abs(a.values()[i] - b.values()[i]) <= rounding * std::max(1.0, std::abs(a.values()[i])))) return false;
  return true;
}

/// Returns the stored pose with bound joints at their places at rest; other nodes keep their places below them.
Pose rest_pose_of(const Figure& figure) {
  const Model& model = *figure.model;
  Pose pose = model.rest_pose;
  std::vector<Affine> world(model.nodes.size(), Affine(figure.n));
  std::vector<Index> open;
  for (Index node = 0; node < model.nodes.size(); ++node)
    if (model.nodes[node].parent == none) open.push_back(node);
  while (!open.empty()) {
    const Index node = open.back();
    open.pop_back();
    open.insert(open.end(), model.nodes[node].children.begin(), model.nodes[node].children.end());
    const Index parent = model.nodes[node].parent;
    const Affine above = parent == none ? Affine(figure.n) : world[parent];
    const Affine stored = affine_of(figure.n, pose.locals[node]);
    world[node] = above * stored;
    if (!figure.rest[node]) continue;
    const auto back = inverse(above);
    if (!back) continue;  // of scale 0: never shown
    const Affine local = *back * *figure.rest[node];
    if (nearly_same(stored, local)) continue;
    const auto values = local.values();
    pose.locals[node] = {};
    pose.locals[node].translation.assign(values.subspan(figure.n * figure.n));
    pose.locals[node].basis.assign(values.first(figure.n * figure.n));
    world[node] = *figure.rest[node];
  }
  return pose;
}

Move turn_of(const Figure& figure, const FlexPose& pose) {
  const Joint& joint = figure.joints[figure.joint_of_node[pose.node]];
  const auto axis = [&](Index number) {
    const auto first = joint.frame.begin() + static_cast<std::ptrdiff_t>(number * figure.n);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(figure.n));
  };
  return {pose.node, axis(pose.plane[0]), axis(pose.plane[1]), {}};
}

Move shapes_of(const Figure& figure, std::span<const ShapePose> all, const FlexPose& pose) {
  std::map<std::pair<Index, Index>, double> amounts;  // by node and shape
  for (const ShapeMoves& shape : figure.shapes)
    if (shape.stored != 0) amounts[{figure.bodies[shape.body].instance.node, shape.shape}] = 0;
  for (const auto& [name, amount] : pose.shapes) {
    const auto on = std::ranges::find(all, name, &ShapePose::name);
    if (on == all.end()) continue;  // it moves nothing
    for (const auto& [number, full] : on->amounts) {
      const ShapeMoves& shape = figure.shapes[number];
      amounts[{figure.bodies[shape.body].instance.node, shape.shape}] += amount * full;
    }
  }
  Move move;
  for (const auto& [at, amount] : amounts) move.amounts.push_back({at.first, at.second, amount});
  return move;
}

}  // namespace

Result<Moves> moves_of(const Model& model, const FlexReport& report, Index scene, unsigned threads) SINEW_TRY {
  const auto figure = Figure::create(model, scene, threads);
  if (!figure) return Unexpected(figure.error());
  const std::vector<ShapePose> shapes = shape_poses(*figure);
  Moves out{rest_pose_of(*figure), {}};
  for (const FlexFinding& finding : report.findings) {
    Move& move = out.of.emplace_back();
    if (finding.pose.kind == FlexPose::Kind::stress) move = turn_of(*figure, finding.pose);
    if (finding.pose.kind == FlexPose::Kind::shape) move = shapes_of(*figure, shapes, finding.pose);
  }
  return out;
}
SINEW_CATCH(place_of(model))

}  // namespace sinew::operations::bend
