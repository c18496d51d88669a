// SPDX-License-Identifier: MIT
#include "show/bones.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/guard.hpp"
#include "show/vector.hpp"

namespace sinew::show {

namespace {

using Point = std::vector<double>;

constexpr double widest_at = 0.14, half_width = 0.075;  // relative to a bone's length

std::vector<bool> joints_of(const Model& model, Index scene) {
  std::vector<bool> reached(model.nodes.size()), joints(model.nodes.size());
  for (const Index node : need(reached_nodes(model, scene))) reached[node] = true;
  const auto add = [&](const std::vector<Index>& list) {
    for (const Index node : list)
      if (node != none && reached[node]) joints[node] = true;
  };
  for (const Skin& skin : model.skins)
    if (skin.defect == none) add(skin.slots);  // rigs are also shipped without a mesh
  for (const Skeleton& skeleton : model.skeletons)
    if (skeleton.defect == none) add(skeleton.joints);
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    if (model.nodes[n].bone && reached[n]) joints[n] = true;
  return joints;
}

Point origin_of(const Affine& world) {
  Point point(world.dimension());
  for (std::size_t i = 0; i < point.size(); ++i) point[i] = world.translation(i);
  return point;
}

double distance(const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// The ends of a joint's bones.
std::vector<Point> tails_of(const Model& model, Index joint, const std::vector<bool>& joints, const std::vector<Affine>& world,
                            const std::vector<Affine>& rest_world) {
  const Node& node = model.nodes[joint];
  const Point head = origin_of(world[joint]);
  if (node.bone && node.bone->length && model.dimension >= 2) {
    Point end(model.dimension, 0.0);
    end[1] = *node.bone->length;
    world[joint].apply(end, end);
    return {end};
  }
  std::vector<Point> tails;
  for (const Index child : node.children)
    if (joints[child]) tails.push_back(origin_of(world[child]));
  if (!tails.empty() || node.parent == none || !joints[node.parent]) return tails;
  // The bone turns with its joint: uses the direction of the chain at rest, in the joint's space.
  const auto joint_from_rest = inverse(rest_world[joint]);
  if (!joint_from_rest) return tails;
  const Point rest_head = origin_of(rest_world[joint]), before = origin_of(rest_world[node.parent]);
  Point end = rest_head;
  for (std::size_t i = 0; i < end.size(); ++i) end[i] += (rest_head[i] - before[i]) / 2;
  joint_from_rest->apply(end, end);
  world[joint].apply(end, end);
  // A pose may scale the joint, or move it nearer to its parent.
  const double size = distance(head, end), most = distance(head, origin_of(world[node.parent]));
  if (size > most)
    for (std::size_t i = 0; i < end.size(); ++i) end[i] = head[i] + (end[i] - head[i]) * (most / size);
  return {end};
}

Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector at(const Vector& from, const Vector& along, double much) {
  return {from[0] + along[0] * much, from[1] + along[1] * much, from[2] + along[2] * much};
}
double length(const Vector& a) { return std::hypot(a[0], a[1], a[2]); }

}  // namespace

Bones find_bones(const Model& model, const Pose& pose, Index scene, const std::function<Vector(const std::vector<double>&)>& to_three) {
  const std::vector<bool> joints = joints_of(model, scene);
  const std::vector<Affine> world = need(world_transforms(model, pose)), rest_world = need(world_transforms(model, model.rest_pose));
  Bones bones;
  for (Index n = 0; n < model.nodes.size(); ++n) {
    if (!joints[n] || !is_finite(world[n])) continue;
    const Point head = origin_of(world[n]);
    bones.heads.push_back(to_three(head));
    for (const Point& tail : tails_of(model, n, joints, world, rest_world))
      if (distance(head, tail) > 0) bones.shafts.push_back({to_three(head), to_three(tail)});
  }
  return bones;
}

bool has_joints(const Model& model, Index scene) {
  const std::vector<bool> joints = joints_of(model, scene);
  return std::find(joints.begin(), joints.end(), true) != joints.end();
}

std::vector<float> bone_triangles(const Bones& bones) {
  std::vector<float> triangles;
  const auto corner = [&](const Vector& point) {
    for (const double value : point) triangles.push_back(static_cast<float>(value));
  };
  for (const auto& [head, tail] : bones.shafts) {
    const Vector along = minus(tail, head);
    const double size = length(along);
    if (!(size > 0)) continue;
    // Any perpendicular direction: start from the axis that is least parallel.
    const std::size_t least = static_cast<std::size_t>(
        std::min_element(along.begin(), along.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }) - along.begin());
    Vector axis{};
    axis[least] = 1;
    const Vector side = cross(along, axis), other = cross(along, side);
    const Vector middle = at(head, along, widest_at);
    const double scale = half_width * size;
    const Vector ring[4] = {at(middle, side, scale / length(side)), at(middle, other, scale / length(other)),
                            at(middle, side, -scale / length(side)), at(middle, other, -scale / length(other))};
    for (std::size_t k = 0; k < 4; ++k)
      for (const Vector& end : {head, tail}) {
        corner(ring[k]);
        corner(ring[(k + 1) % 4]);
        corner(end);
      }
  }
  return triangles;
}

}  // namespace sinew::show
